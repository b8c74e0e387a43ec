import { DndContext, PointerSensor, closestCenter, useSensor, useSensors } from '@dnd-kit/core';
import { SortableContext, arrayMove, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { useState } from 'react';
import { changed, show } from './lib/page.js';

function Item({ id }) {
  const s = useSortable({ id });
  const move = s.transform ? `translate3d(${s.transform.x}px, ${s.transform.y}px, 0)` : undefined;
  return <div ref={s.setNodeRef} style={{ transform: move, transition: s.transition, padding: 12, border: '1px solid #ccc', margin: 4, touchAction: 'none' }} {...s.attributes} {...s.listeners}>{id}</div>;
}
function Page() {
  const [items, setItems] = useState(['Design', 'Build', 'Test', 'Ship']);
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 5 } }));
  return <><h2>Steps</h2><DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={({ active, over }) => {
    if (!over || active.id === over.id) return;
    const next = arrayMove(items, items.indexOf(active.id), items.indexOf(over.id));
    setItems(next);
    changed(next.join(','));
  }}><SortableContext items={items} strategy={verticalListSortingStrategy}>{items.map((id) => <Item key={id} id={id} />)}</SortableContext></DndContext></>;
}
show(<Page />);
