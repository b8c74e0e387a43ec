import { javascript } from '@codemirror/lang-javascript';
import { EditorView, basicSetup } from 'codemirror';
import { record, root } from './lib/page.js';

root.innerHTML = '<h2>Script</h2>';
new EditorView({ parent: root, doc: 'function hello() {\n  return "world";\n}\n', extensions: [basicSetup, javascript(), EditorView.contentAttributes.of({ 'aria-label': 'Script' }),
  EditorView.updateListener.of((u) => { if (u.docChanged) record.value = u.state.doc.toString(); })] });
