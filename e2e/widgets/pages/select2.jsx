import $ from './lib/jq.js';
import select2 from 'select2';
import 'select2/dist/css/select2.css';
import { changed, countries, root } from './lib/page.js';

if (!$.fn.select2) select2(window, $);
root.innerHTML = `<label for="country">Country</label> <select id="country" style="width: 300px"><option></option>${countries.map((c) => `<option>${c}</option>`).join('')}</select>`;
$('#country').select2({ placeholder: 'Choose one' }).on('change', (e) => changed(e.target.value));
