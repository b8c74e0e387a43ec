import { useCombobox } from 'downshift';
import { useState } from 'react';
import { changed, fruits, show } from './lib/page.js';
import './lib/plain.css';

function Page() {
  const [items, setItems] = useState(fruits);
  const c = useCombobox({ items,
    onInputValueChange: ({ inputValue }) => setItems(fruits.filter((f) => f.toLowerCase().includes(inputValue.toLowerCase()))),
    onSelectedItemChange: ({ selectedItem }) => changed(selectedItem) });
  return <div><label {...c.getLabelProps()}>Favourite fruit</label>
    <div><input placeholder="Best fruit ever" {...c.getInputProps()} /><button type="button" aria-label="toggle menu" {...c.getToggleButtonProps()}>↓</button></div>
    <ul {...c.getMenuProps()} className="panel" hidden={!c.isOpen}>{c.isOpen && items.map((item, index) => <li key={item} {...c.getItemProps({ item, index })}>{item}</li>)}</ul></div>;
}
show(<Page />);
