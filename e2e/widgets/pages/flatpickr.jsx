import flatpickr from 'flatpickr';
import 'flatpickr/dist/flatpickr.css';
import { changed, root } from './lib/page.js';

root.innerHTML = '<label for="departure">Departure</label> <input id="departure">';
flatpickr('#departure', { defaultDate: '2031-01-10', onChange: (_, text) => changed(text) });
