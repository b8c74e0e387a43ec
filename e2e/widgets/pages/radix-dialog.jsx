import { Dialog, Switch } from 'radix-ui';
import { useState } from 'react';
import { changed, record, show } from './lib/page.js';
import './lib/plain.css';

function Page() {
  const [on, setOn] = useState(false);
  return <Dialog.Root><Dialog.Trigger>Preferences</Dialog.Trigger><Dialog.Portal><Dialog.Overlay className="overlay" /><Dialog.Content className="dialog"><Dialog.Title>Preferences</Dialog.Title><Dialog.Description>They hold for this computer.</Dialog.Description>
    <label htmlFor="air">Airplane mode</label><Switch.Root id="air" checked={on} onCheckedChange={(v) => { setOn(v); record.on = v; }} style={{ width: 42, height: 25 }}><Switch.Thumb style={{ display: 'block', width: 21, height: 21, background: '#333', transform: on ? 'translateX(19px)' : '' }} /></Switch.Root>
    <Dialog.Close onClick={() => changed('saved ' + on)}>Save changes</Dialog.Close></Dialog.Content></Dialog.Portal></Dialog.Root>;
}
show(<Page />);
