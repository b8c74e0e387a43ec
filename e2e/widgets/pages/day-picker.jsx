import { useState } from 'react';
import { DayPicker } from 'react-day-picker';
import 'react-day-picker/style.css';
import { changed, day, show } from './lib/page.js';

function Page() {
  const [when, setWhen] = useState();
  return <section aria-label="Appointment"><h2>Appointment</h2><DayPicker mode="single" defaultMonth={new Date(2031, 0)} selected={when} onSelect={(d) => { setWhen(d); changed(day(d)); }} /></section>;
}
show(<Page />);
