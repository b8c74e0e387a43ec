import '@shoelace-style/shoelace/dist/themes/light.css';
import '@shoelace-style/shoelace/dist/components/rating/rating.js';
import { changed, root } from './lib/page.js';

root.innerHTML = '<p>How was it?</p><sl-rating label="Service"></sl-rating>';
root.querySelector('sl-rating').addEventListener('sl-change', (e) => changed(e.target.value));
