import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { changed, show } from './lib/page.js';

function Page() {
  const box = useRef(null);
  const v = useVirtualizer({ count: 800, getScrollElement: () => box.current, estimateSize: () => 36 });
  return <><h2>Contacts</h2><div ref={box} tabIndex={0} role="listbox" aria-label="Contacts" style={{ height: 360, overflow: 'auto' }}><div style={{ height: v.getTotalSize(), position: 'relative' }}>
    {v.getVirtualItems().map((item) => <div key={item.key} role="option" aria-selected="false" style={{ position: 'absolute', top: 0, width: '100%', height: item.size, transform: `translateY(${item.start}px)` }} onClick={() => changed(item.index)}>Contact {item.index}</div>)}
  </div></div></>;
}
show(<Page />);
