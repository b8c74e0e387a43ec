import { Checkbox, FormControlLabel, FormGroup, Radio, RadioGroup, Switch } from '@mui/material';
import { record, show } from './lib/page.js';

show(<FormGroup><FormControlLabel control={<Switch onChange={(e) => { record.switch = e.target.checked; }} />} label="Notifications" />
  <FormControlLabel control={<Checkbox defaultChecked onChange={(e) => { record.box = e.target.checked; }} />} label="Newsletter" />
  <RadioGroup name="plan" aria-label="Plan" onChange={(e) => { record.plan = e.target.value; }}>{['Free', 'Team', 'Business'].map((p) => <FormControlLabel key={p} value={p} control={<Radio />} label={p} />)}</RadioGroup></FormGroup>);
