// Where to click an element, and how a point inside a frame is projected to the document around it.

// moving lists the animations that move an element and come to an end.
const MOVES = /^(transform|translate|rotate|scale|left|right|top|bottom|inset|margin|width|height|max|min|padding|offset|grid|flex|fontSize|font-size)/;
const moving = (el) => {
  if (native.document.animations().length === 0) return [];
  const found = [];
  for (let n = el; n; n = up(n)) {
    for (const a of n instanceof Element ? native.animations(n) : []) {
      if (a.playState !== 'running' || !a.effect || a.effect.getComputedTiming().endTime === Infinity) continue;
      if (a.effect.getKeyframes().some((k) => Object.keys(k).some((p) => MOVES.test(p)))) found.push(a);
    }
  }
  return found;
};

// drawn waits until the page has drawn itself and heard that it was scrolled. Nobody draws a hidden tab.
act.drawn = () => !native.document.visible() ? 0 : new Promise((done) => {
  setTimeout(done, 100, 0);
  requestAnimationFrame(() => requestAnimationFrame(() => done(0)));
});

// stopped waits, not for long, until an element has stopped moving.
act.stopped = (id) => {
  const el = cove.get(id);
  if (!el) return 0;
  return Promise.race([Promise.allSettled(moving(el).map((a) => a.finished)), new Promise((done) => setTimeout(done, 1000))]).then(() => 0);
};

let wanted = null; // what was aimed at last
// aim finds where to click an element: {x, y}, or why there is no such place. With patient it only says that the element moves.
act.aim = (id, patient) => {
  const el = cove.get(id);
  if (!el) return { gone: true };
  if (el.nodeType !== 1) return { hidden: true };
  wanted = el;
  if (patient && moving(el).length > 0) return { moving: true };
  if (el.matches(':disabled')) return { disabled: true };
  let target = el;
  if (el.localName === 'option' && el.closest('select')) return { option: true };
  if (boxes(el).length === 0 || getComputedStyle(el).visibility !== 'visible') {
    const label = el.labels && [...el.labels].find((l) => boxes(l).length > 0);
    if (!label) return { hidden: true };
    target = label; // a styled control: what people click is its label
  }
  let point = boxes(target).some(onScreen) ? hit(target) : null;
  let scrolled = false;
  if (!point) {
    scrolled = true;
    target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    point = hit(target);
  }
  if (!point && target === el && el.labels) {
    for (const l of el.labels) point = point || hit(l);
  }
  if (point) return { ...point, scrolled };
  const r = boxes(target)[0];
  const [middle] = r ? spots(r) : [];
  if (!middle) return { hidden: true };
  const top = topmost(middle[0], middle[1]);
  return { cover: summarize(top), passing: passing(top, target) };
};
// passing: what is in the way goes by itself. Lists are deaf while they scroll, and what fades is on its way out.
const passing = (top, el) => {
  if (getComputedStyle(el).pointerEvents === 'none') return true;
  for (let n = top; n && !within(el, n); n = up(n)) {
    if (n instanceof Element && native.animations(n).some((a) => a.playState === 'running' && a.effect && a.effect.getComputedTiming().endTime !== Infinity)) return true;
  }
  return false;
};

// seek is the element, or the only one of that role and name when the page has drawn it anew; 0 when there is none.
act.seek = (id, role, name) => {
  if (cove.get(id)) return id;
  const found = role && name ? cove.find(role, name) : [];
  return found.length === 1 ? found[0] : 0;
};

// content is where the inside of a frame's element begins, and how much it is scaled.
act.content = (el) => {
  const r = el.getBoundingClientRect();
  const style = getComputedStyle(el);
  const scaleX = el.offsetWidth ? r.width / el.offsetWidth : 1, scaleY = el.offsetHeight ? r.height / el.offsetHeight : 1;
  return {
    x: r.left + (el.clientLeft + parseFloat(style.paddingLeft || 0)) * scaleX,
    y: r.top + (el.clientTop + parseFloat(style.paddingTop || 0)) * scaleY,
    scaleX, scaleY,
  };
};

// through takes a point inside a frame to a point of this document, and tells what covers the frame there.
act.through = (id, x, y) => {
  const el = cove.get(id);
  if (!el) return { gone: true };
  const project = () => {
    const c = act.content(el);
    return { x: c.x + x * c.scaleX, y: c.y + y * c.scaleY };
  };
  let at = project();
  for (let n = up(el); n; n = up(n)) { // boxes that have scrolled the frame away
    if (n.nodeType !== 1 || n === native.document.scroller() || n === native.document.body()) continue;
    if (n.scrollHeight <= n.clientHeight && n.scrollWidth <= n.clientWidth) continue;
    const r = n.getBoundingClientRect();
    if (at.x >= r.left && at.y >= r.top && at.x < r.right && at.y < r.bottom) continue;
    n.scrollBy({ left: at.x - (r.left + r.right) / 2, top: at.y - (r.top + r.bottom) / 2, behavior: 'instant' });
    at = project();
  }
  if (at.x < 0 || at.y < 0 || at.x >= innerWidth || at.y >= innerHeight) {
    scrollBy({ left: at.x - innerWidth / 2, top: at.y - innerHeight / 2, behavior: 'instant' });
    at = project();
  }
  const top = topmost(at.x, at.y);
  if (!top) return { hidden: true };
  if (top !== el && !within(top, el)) return { cover: summarize(top) };
  return at;
};

// moved returns whether the mouse has moved over this document since it was last asked.
let mice = -1;
act.moved = () => {
  if (mice < 0) for (const type of ['pointermove', 'mousemove', 'mouseover']) addEventListener(type, () => { mice++; }, { capture: true, passive: true });
  const any = mice > 0;
  mice = 0;
  return any;
};

