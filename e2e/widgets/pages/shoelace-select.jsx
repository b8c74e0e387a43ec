import '@shoelace-style/shoelace/dist/themes/light.css';
import '@shoelace-style/shoelace/dist/components/select/select.js';
import '@shoelace-style/shoelace/dist/components/option/option.js';
import { changed, root } from './lib/page.js';

root.innerHTML = `<sl-select label="Size">${['Small', 'Medium', 'Large', 'Extra large'].map((s) => `<sl-option value="${s.replace(' ', '-')}">${s}</sl-option>`).join('')}</sl-select>`;
root.querySelector('sl-select').addEventListener('sl-change', (e) => changed(e.target.value));
