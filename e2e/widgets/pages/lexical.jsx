import { registerRichText } from '@lexical/rich-text';
import { $createParagraphNode, $createTextNode, $getRoot, createEditor } from 'lexical';
import { record, root } from './lib/page.js';

root.innerHTML = '<p id="comment">Comment</p><div id="editor" contenteditable="true" role="textbox" aria-labelledby="comment" style="border: 1px solid #888; min-height: 80px"></div>';
const editor = createEditor({ namespace: 'comment', onError: (e) => { throw e; } });
editor.setRootElement(document.getElementById('editor'));
registerRichText(editor);
editor.update(() => $getRoot().clear().append($createParagraphNode().append($createTextNode('I disagree.'))));
editor.registerUpdateListener(({ editorState }) => editorState.read(() => { record.value = $getRoot().getTextContent(); }));
