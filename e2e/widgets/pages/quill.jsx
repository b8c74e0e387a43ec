import Quill from 'quill';
import 'quill/dist/quill.snow.css';
import { record, root } from './lib/page.js';

root.innerHTML = '<h2 id="body-label">Body</h2><div id="editor"><p>Old draft of the letter.</p></div>';
const q = new Quill('#editor', { theme: 'snow', placeholder: 'Write here…' });
q.on('text-change', () => { record.value = q.getText(); });
