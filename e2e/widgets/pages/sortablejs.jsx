import Sortable from 'sortablejs';
import { changed, root } from './lib/page.js';

root.innerHTML = `<h2>Playlist</h2><ul id="list">${['Overture', 'Waltz', 'Tango', 'March', 'Finale'].map((t) => `<li style="padding: 8px; border: 1px solid #ccc; cursor: grab">${t}</li>`).join('')}</ul>`;
const list = document.getElementById('list');
Sortable.create(list, { animation: 150, onEnd: () => changed([...list.children].map((l) => l.textContent).join(',')) });
