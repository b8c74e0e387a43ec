import { Slider } from 'radix-ui';
import { changed, show } from './lib/page.js';

show(<Slider.Root defaultValue={[40]} max={100} step={5} onValueChange={([v]) => changed(v)} style={{ position: 'relative', display: 'flex', alignItems: 'center', width: 200, height: 20 }}>
  <Slider.Track style={{ background: '#aaa', position: 'relative', flexGrow: 1, height: 4 }}><Slider.Range style={{ position: 'absolute', background: '#06c', height: '100%' }} /></Slider.Track>
  <Slider.Thumb aria-label="Brightness" style={{ display: 'block', width: 20, height: 20, background: '#036', borderRadius: 10 }} /></Slider.Root>);
