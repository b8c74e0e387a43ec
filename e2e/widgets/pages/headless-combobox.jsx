import { Combobox, ComboboxButton, ComboboxInput, ComboboxOption, ComboboxOptions, Field, Label } from '@headlessui/react';
import { useState } from 'react';
import { changed, show } from './lib/page.js';
import './lib/plain.css';

const people = ['Tom Cook', 'Wade Cooper', 'Arlene Mccoy', 'Devon Webb', 'Tanya Fox', 'Hellen Schmidt'];
function Page() {
  const [query, setQuery] = useState('');
  const [who, setWho] = useState(null);
  return <Field><Label>Reviewer</Label><Combobox value={who} onChange={(v) => { setWho(v); changed(v); }} onClose={() => setQuery('')}>
    <ComboboxInput displayValue={(v) => v ?? ''} onChange={(e) => setQuery(e.target.value)} /><ComboboxButton>▾</ComboboxButton>
    <ComboboxOptions anchor="bottom" className="panel">
      {people.filter((p) => p.toLowerCase().includes(query.toLowerCase())).map((p) => <ComboboxOption key={p} value={p}>{p}</ComboboxOption>)}
    </ComboboxOptions></Combobox></Field>;
}
show(<Page />);
