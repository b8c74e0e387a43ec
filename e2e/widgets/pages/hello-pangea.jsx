import { DragDropContext, Draggable, Droppable } from '@hello-pangea/dnd';
import { useState } from 'react';
import { changed, show } from './lib/page.js';

function Page() {
  const [board, setBoard] = useState({ 'To do': ['Write tests', 'Fix login', 'Update docs'], 'In progress': ['Review patch'], Done: ['Plan sprint'] });
  const end = ({ source, destination }) => {
    if (!destination) return;
    const next = Object.fromEntries(Object.entries(board).map(([k, v]) => [k, [...v]]));
    const [card] = next[source.droppableId].splice(source.index, 1);
    next[destination.droppableId].splice(destination.index, 0, card);
    setBoard(next);
    changed(`${card} in ${destination.droppableId}`);
  };
  return <DragDropContext onDragEnd={end}><div style={{ display: 'flex', gap: 16 }}>{Object.entries(board).map(([name, cards]) => <section key={name} aria-label={name} style={{ width: 180, background: '#eee', padding: 8 }}><h3>{name}</h3>
    <Droppable droppableId={name}>{(d) => <div ref={d.innerRef} {...d.droppableProps} style={{ minHeight: 160 }}>{cards.map((c, i) => <Draggable key={c} draggableId={c} index={i}>{(p) =>
      <div ref={p.innerRef} {...p.draggableProps} {...p.dragHandleProps} style={{ padding: 8, margin: 4, background: 'white', ...p.draggableProps.style }}>{c}</div>}</Draggable>)}{d.placeholder}</div>}</Droppable></section>)}</div></DragDropContext>;
}
show(<Page />);
