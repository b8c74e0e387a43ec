import ace from 'ace-builds/src-noconflict/ace.js';
import 'ace-builds/src-noconflict/mode-text.js';
import { record, root } from './lib/page.js';

root.innerHTML = '<h2>Query</h2><div id="editor" style="height: 160px; width: 500px">SELECT 1;\nSELECT 2;</div>';
const e = ace.edit('editor', { useWorker: false, textInputAriaLabel: 'Query' });
e.on('change', () => { record.value = e.getValue(); });
