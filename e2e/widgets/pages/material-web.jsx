import '@material/web/checkbox/checkbox.js';
import '@material/web/textfield/filled-text-field.js';
import { changed, record, root } from './lib/page.js';

root.innerHTML = '<label><md-checkbox></md-checkbox> Gift wrap</label><md-filled-text-field label="Message"></md-filled-text-field>';
root.querySelector('md-checkbox').addEventListener('change', (e) => { record.checked = e.target.checked; });
root.querySelector('md-filled-text-field').addEventListener('input', (e) => changed(e.target.value));
