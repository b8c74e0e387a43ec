import $ from './lib/jq.js';
import 'jquery-ui/dist/themes/base/jquery-ui.css';
import { record, root } from './lib/page.js';

await import('jquery-ui/dist/jquery-ui.js'); // it looks for jQuery in the window
root.innerHTML = '<label for="language">Language</label> <input id="language">';
$('#language').autocomplete({ source: ['ActionScript', 'AppleScript', 'C', 'C++', 'Clojure', 'COBOL', 'Erlang', 'Fortran', 'Groovy', 'Haskell', 'Java', 'JavaScript', 'Lisp', 'Perl', 'Python', 'Ruby', 'Scala', 'Scheme'] });
Object.defineProperty(record, 'value', { get: () => $('#language').val(), enumerable: true });
