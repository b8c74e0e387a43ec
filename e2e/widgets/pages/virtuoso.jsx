import { Virtuoso } from 'react-virtuoso';
import { changed, show } from './lib/page.js';

show(<><h2>Messages</h2><Virtuoso style={{ height: 400 }} totalCount={900} itemContent={(i) => <div style={{ padding: 8 }}>Message {i} <button onClick={() => changed(i)}>Archive message {i}</button></div>} /></>);
