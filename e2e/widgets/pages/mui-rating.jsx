import { Rating, Typography } from '@mui/material';
import { changed, show } from './lib/page.js';

show(<><Typography component="legend">Food</Typography><Rating name="food" defaultValue={2} onChange={(_, v) => changed(v)} /></>);
