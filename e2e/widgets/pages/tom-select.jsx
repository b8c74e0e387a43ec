import TomSelect from 'tom-select';
import 'tom-select/dist/css/tom-select.css';
import { changed, root } from './lib/page.js';

root.innerHTML = `<label for="tags">Tags</label> <select id="tags" multiple placeholder="Add tags">${['Bug', 'Docs', 'Feature', 'Question', 'Urgent', 'Wontfix'].map((t) => `<option>${t}</option>`).join('')}</select>`;
new TomSelect('#tags', { plugins: ['remove_button'], onChange: (v) => changed([].concat(v).join(',')) });
