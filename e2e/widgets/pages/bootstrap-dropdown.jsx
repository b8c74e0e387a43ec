import 'bootstrap';
import 'bootstrap/dist/css/bootstrap.css';
import { changed, root } from './lib/page.js';

root.innerHTML = `<div class="dropdown"><button class="btn btn-secondary dropdown-toggle" type="button" data-bs-toggle="dropdown" aria-expanded="false">More actions</button>
  <ul class="dropdown-menu">${['Rename', 'Duplicate', 'Archive', 'Delete'].map((t) => `<li><a class="dropdown-item" href="#">${t}</a></li>`).join('')}</ul></div>`;
root.addEventListener('click', (e) => { if (e.target.matches('.dropdown-item')) { e.preventDefault(); changed(e.target.textContent); } });
