import { changed, root } from './lib/page.js';

root.innerHTML = `<h2>Basket</h2><div style="display: flex; gap: 40px"><ul>${['Bread', 'Butter', 'Cheese'].map((t) => `<li draggable="true" style="padding: 8px">${t}</li>`).join('')}</ul>
  <div id="basket" style="width: 200px; height: 120px; border: 2px dashed #888">Drop here</div></div>`;
const basket = document.getElementById('basket');
root.addEventListener('dragstart', (e) => { e.dataTransfer.setData('text/plain', e.target.textContent); e.dataTransfer.effectAllowed = 'move'; });
basket.addEventListener('dragover', (e) => { e.preventDefault(); e.dataTransfer.dropEffect = 'move'; });
basket.addEventListener('drop', (e) => { e.preventDefault(); basket.textContent = 'In the basket: ' + e.dataTransfer.getData('text/plain'); changed(e.dataTransfer.getData('text/plain')); });
