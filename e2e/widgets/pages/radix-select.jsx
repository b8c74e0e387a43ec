import { Label, Select } from 'radix-ui';
import { changed, show } from './lib/page.js';
import './lib/plain.css';

show(<><Label.Root htmlFor="zone">Time zone</Label.Root>
  <Select.Root onValueChange={changed}>
    <Select.Trigger id="zone"><Select.Value placeholder="Choose a zone…" /><Select.Icon /></Select.Trigger>
    <Select.Portal><Select.Content className="panel"><Select.Viewport>
      {[['Europe', ['Athens', 'Lisbon', 'Oslo']], ['America', ['Bogota', 'Denver', 'Lima']]].map(([group, cities]) => <Select.Group key={group}>
        <Select.Label>{group}</Select.Label>
        {cities.map((c) => <Select.Item key={c} value={c}><Select.ItemText>{c}</Select.ItemText><Select.ItemIndicator>✓</Select.ItemIndicator></Select.Item>)}
      </Select.Group>)}
    </Select.Viewport></Select.Content></Select.Portal>
  </Select.Root></>);
