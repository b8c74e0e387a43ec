import { changed, root } from './lib/page.js';

root.innerHTML = `<label style="display: inline-block; padding: 8px; border: 1px solid" for="photo">Add a photo</label><input id="photo" type="file" accept="image/*,.txt" style="display: none"><output></output>`;
document.getElementById('photo').addEventListener('change', (e) => { root.querySelector('output').textContent = e.target.files[0].name; changed(e.target.files[0].name); });
