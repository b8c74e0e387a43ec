import { useState } from 'react';
import { HexColorInput, HexColorPicker } from 'react-colorful';
import { record, show } from './lib/page.js';

function Page() {
  const [color, setColor] = useState('#aabbcc');
  const set = (c) => { setColor(c); record.value = c; };
  return <><h2>Background</h2><HexColorPicker color={color} onChange={set} /><label>Hex <HexColorInput color={color} onChange={set} prefixed /></label></>;
}
show(<Page />);
