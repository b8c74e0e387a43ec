import { Slider } from '@mui/material';
import { changed, show } from './lib/page.js';

show(<><h2 id="volume">Volume</h2><Slider aria-labelledby="volume" defaultValue={30} onChangeCommitted={(_, v) => changed(v)} /></>);
