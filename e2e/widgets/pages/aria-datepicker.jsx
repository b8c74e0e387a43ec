import { parseDate } from '@internationalized/date';
import { Button, Calendar, CalendarCell, CalendarGrid, DateInput, DatePicker, DateSegment, Dialog, Group, Heading, I18nProvider, Label, Popover } from 'react-aria-components';
import { changed, show } from './lib/page.js';
import './lib/plain.css';

show(<I18nProvider locale="en-US"><DatePicker defaultValue={parseDate('2031-01-10')} onChange={(d) => d && changed(d.toString())}><Label>Return</Label>
  <Group><DateInput style={{ display: 'flex' }}>{(s) => <DateSegment segment={s} />}</DateInput><Button>▼</Button></Group>
  <Popover className="panel"><Dialog><Calendar><header style={{ display: 'flex' }}><Button slot="previous">◀</Button><Heading /><Button slot="next">▶</Button></header>
    <CalendarGrid>{(date) => <CalendarCell date={date} />}</CalendarGrid></Calendar></Dialog></Popover></DatePicker></I18nProvider>);
