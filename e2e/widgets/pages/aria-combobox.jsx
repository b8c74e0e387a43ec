import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { changed, show } from './lib/page.js';
import './lib/plain.css';

show(<ComboBox onSelectionChange={(k) => k && changed(k)}><Label>Animal</Label><div><Input /><Button>▼</Button></div>
  <Popover className="panel"><ListBox>{['Aardvark', 'Cat', 'Dog', 'Kangaroo', 'Panda', 'Snake'].map((a) => <ListBoxItem key={a} id={a}>{a}</ListBoxItem>)}</ListBox></Popover></ComboBox>);
