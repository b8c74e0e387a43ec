import Select from 'react-select';
import { changed, show } from './lib/page.js';

const options = ['Anchovies', 'Artichokes', 'Cheese', 'Ham', 'Mushrooms', 'Olives', 'Onions', 'Pepper', 'Rocket'].map((f) => ({ value: f, label: f }));
show(<><label htmlFor="toppings">Toppings</label><Select inputId="toppings" isMulti options={options} onChange={(all) => changed(all.map((o) => o.value).join(','))} /></>);
