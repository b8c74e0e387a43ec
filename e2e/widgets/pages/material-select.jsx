import '@material/web/select/outlined-select.js';
import '@material/web/select/select-option.js';
import { changed, root } from './lib/page.js';

root.innerHTML = `<md-outlined-select label="Delivery">${['Courier', 'Locker', 'Post', 'Store'].map((s) => `<md-select-option value="${s}"><div slot="headline">${s}</div></md-select-option>`).join('')}</md-outlined-select>`;
root.querySelector('md-outlined-select').addEventListener('change', (e) => changed(e.target.value));
