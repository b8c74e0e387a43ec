import Choices from 'choices.js';
import 'choices.js/public/assets/styles/choices.css';
import { changed, root } from './lib/page.js';

root.innerHTML = `<label for="city">City</label> <select id="city"><option value="">Choose a city</option>${['Berlin', 'Cairo', 'Dublin', 'Hanoi', 'Lima', 'Madrid', 'Quito', 'Rome'].map((t) => `<option>${t}</option>`).join('')}</select>`;
const city = document.getElementById('city');
new Choices(city, { labelId: 'city-label' });
city.addEventListener('change', () => changed(city.value));
