import $ from './lib/jq.js';
import 'jstree';
import 'jstree/dist/themes/default/style.css';
import { changed, root } from './lib/page.js';

root.innerHTML = '<h2>Folders</h2><div id="tree"></div>';
$('#tree').jstree({ core: { animation: 0, data: [{ text: 'Documents', children: [{ text: 'Invoices', children: ['2029', '2030', '2031'] }, 'Letters'] }, { text: 'Pictures', children: ['Family', 'Travel'] }, 'Trash'] } })
  .on('select_node.jstree', (_, data) => changed(data.instance.get_path(data.node, '/')));
