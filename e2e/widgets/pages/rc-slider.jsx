import Slider from 'rc-slider';
import 'rc-slider/assets/index.css';
import { changed, show } from './lib/page.js';

show(<div style={{ width: 300 }}><p>Temperature</p><Slider ariaLabelForHandle="Temperature" min={-10} max={40} defaultValue={20} onChangeComplete={changed} /></div>);
