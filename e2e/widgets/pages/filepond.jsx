import * as FilePond from 'filepond';
import 'filepond/dist/filepond.css';
import { changed, root } from './lib/page.js';

root.innerHTML = '<p>Receipt</p><input type="file" id="receipt">';
FilePond.create(document.getElementById('receipt'), { server: '/upload', onprocessfile: (error, file) => error || changed(file.filename) });
