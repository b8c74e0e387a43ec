import { FormControl, InputLabel, MenuItem, Select } from '@mui/material';
import { useState } from 'react';
import { changed, show } from './lib/page.js';

function Page() {
  const [age, setAge] = useState('');
  return <FormControl fullWidth><InputLabel id="age-label">Age group</InputLabel>
    <Select labelId="age-label" id="age" label="Age group" value={age} onChange={(e) => { setAge(e.target.value); changed(e.target.value); }}>
      {['Under 18', '18 to 30', '31 to 50', 'Over 50'].map((a) => <MenuItem key={a} value={a}>{a}</MenuItem>)}
    </Select></FormControl>;
}
show(<Page />);
