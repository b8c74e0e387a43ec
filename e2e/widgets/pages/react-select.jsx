import Select from 'react-select';
import { changed, fruits, show } from './lib/page.js';

const options = fruits.map((f) => ({ value: f, label: f }));
show(<><label htmlFor="fruit">Fruit</label><Select inputId="fruit" options={options} onChange={(o) => changed(o && o.value)} /></>);
