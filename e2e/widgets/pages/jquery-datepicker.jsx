import $ from './lib/jq.js';
import 'jquery-ui/dist/themes/base/jquery-ui.css';
import { changed, root } from './lib/page.js';

await import('jquery-ui/dist/jquery-ui.js'); // it looks for jQuery in the window
root.innerHTML = '<label for="birthday">Birthday</label> <input id="birthday" readonly>';
$('#birthday').datepicker({ dateFormat: 'yy-mm-dd', defaultDate: '2031-01-10', onSelect: changed });
