import Dropzone from 'dropzone';
import 'dropzone/dist/dropzone.css';
import { changed, root } from './lib/page.js';

root.innerHTML = '<form action="/upload" class="dropzone" id="zone"></form>';
Dropzone.autoDiscover = false;
new Dropzone('#zone').on('success', (file) => changed(file.name));
