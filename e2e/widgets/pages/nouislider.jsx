import noUiSlider from 'nouislider';
import 'nouislider/dist/nouislider.css';
import { changed, root } from './lib/page.js';

root.innerHTML = '<h2>Price</h2><div id="price" style="width: 300px; margin: 20px"></div>';
noUiSlider.create(document.getElementById('price'), { start: [200, 800], step: 50, connect: true, range: { min: 0, max: 1000 }, handleAttributes: [{ 'aria-label': 'Lowest price' }, { 'aria-label': 'Highest price' }] })
  .on('change', (values) => changed(values.map(Number).join('-')));
