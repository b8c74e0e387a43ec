import { Accordion, Tabs } from 'radix-ui';
import { changed, show } from './lib/page.js';

show(<Tabs.Root defaultValue="account"><Tabs.List aria-label="Settings">{['account', 'billing', 'team'].map((t) => <Tabs.Trigger key={t} value={t}>{t[0].toUpperCase() + t.slice(1)}</Tabs.Trigger>)}</Tabs.List>
  <Tabs.Content value="account"><label>Name <input /></label></Tabs.Content>
  <Tabs.Content value="billing"><Accordion.Root type="single" collapsible>{['Invoices', 'Payment method', 'Tax'].map((t) => <Accordion.Item key={t} value={t}><Accordion.Header><Accordion.Trigger>{t}</Accordion.Trigger></Accordion.Header>
    <Accordion.Content><button onClick={() => changed(t)}>Change {t.toLowerCase()}</button></Accordion.Content></Accordion.Item>)}</Accordion.Root></Tabs.Content>
  <Tabs.Content value="team">Nobody yet</Tabs.Content></Tabs.Root>);
