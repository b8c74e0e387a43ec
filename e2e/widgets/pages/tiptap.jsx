import { Editor } from '@tiptap/core';
import StarterKit from '@tiptap/starter-kit';
import { record, root } from './lib/page.js';

root.innerHTML = '<h2>Article</h2><div id="editor"></div>';
new Editor({ element: document.getElementById('editor'), extensions: [StarterKit], content: '<h3>Heading</h3><p>First paragraph.</p><ul><li><p>one</p></li><li><p>two</p></li></ul>',
  editorProps: { attributes: { 'aria-label': 'Article text' } }, onUpdate: ({ editor }) => { record.value = editor.getText(); } });
