import { Field, Label, Listbox, ListboxButton, ListboxOption, ListboxOptions } from '@headlessui/react';
import { useState } from 'react';
import { changed, show } from './lib/page.js';
import './lib/plain.css';

function Page() {
  const [who, setWho] = useState('Durward Reynolds');
  return <Field><Label>Assignee</Label>
    <Listbox value={who} onChange={(v) => { setWho(v); changed(v); }}>
      <ListboxButton>{who}</ListboxButton>
      <ListboxOptions anchor="bottom" className="panel">
        {['Durward Reynolds', 'Kenton Towne', 'Therese Wunsch', 'Benedict Kessler', 'Katelyn Rohan'].map((n) => <ListboxOption key={n} value={n}>{n}</ListboxOption>)}
      </ListboxOptions>
    </Listbox></Field>;
}
show(<Page />);
