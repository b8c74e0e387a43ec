import { useState } from 'react';
import { List } from 'react-window';
import { changed, show } from './lib/page.js';

function Row({ index, style, pick, picked }) {
  return <div style={{ ...style, cursor: 'pointer', background: picked === index ? '#cde' : undefined }} onClick={() => pick(index)}>Order {1000 + index}</div>;
}
function Page() {
  const [picked, pick] = useState();
  return <><h2>Orders</h2><List style={{ height: 400 }} rowComponent={Row} rowCount={1000} rowHeight={32} rowProps={{ picked, pick: (i) => { pick(i); changed(1000 + i); } }} /></>;
}
show(<Page />);
