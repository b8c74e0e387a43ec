import { DropdownMenu } from 'radix-ui';
import { changed, show } from './lib/page.js';
import './lib/plain.css';

show(<DropdownMenu.Root><DropdownMenu.Trigger>File</DropdownMenu.Trigger>
  <DropdownMenu.Portal><DropdownMenu.Content className="panel">
    <DropdownMenu.Item onSelect={() => changed('New')}>New</DropdownMenu.Item>
    <DropdownMenu.Item onSelect={() => changed('Open')}>Open…</DropdownMenu.Item>
    <DropdownMenu.Separator />
    <DropdownMenu.Sub><DropdownMenu.SubTrigger>Export</DropdownMenu.SubTrigger>
      <DropdownMenu.Portal><DropdownMenu.SubContent className="panel">
        {['CSV', 'PDF', 'PNG'].map((f) => <DropdownMenu.Item key={f} onSelect={() => changed('Export ' + f)}>{f}</DropdownMenu.Item>)}
      </DropdownMenu.SubContent></DropdownMenu.Portal></DropdownMenu.Sub>
    <DropdownMenu.Item disabled>Print</DropdownMenu.Item>
  </DropdownMenu.Content></DropdownMenu.Portal></DropdownMenu.Root>);
