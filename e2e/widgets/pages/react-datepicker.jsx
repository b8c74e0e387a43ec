import { useState } from 'react';
import DatePicker from 'react-datepicker';
import 'react-datepicker/dist/react-datepicker.css';
import { changed, day, show } from './lib/page.js';

function Page() {
  const [when, setWhen] = useState(new Date(2031, 0, 10));
  return <><label htmlFor="arrival">Arrival</label> <DatePicker id="arrival" selected={when} onChange={(d) => { setWhen(d); changed(day(d)); }} /></>;
}
show(<Page />);
