// What became of a press of the mouse.

// What the mouse has done since the last watch, as the window hears it before the page does. own tells that what became of the
// element (it was removed, moved or disabled) came while the page handled the press or the release itself: the page has acted on it.
let pressed = null;
const onTrusted = (type, f) => addEventListener(type, (e) => { if (e.isTrusted) f(e); }, { capture: true, passive: true });
const positionOf = (el) => { const r = el.getBoundingClientRect(); return r.x + ' ' + r.y; };
const disabled = (el) => !!el.matches && el.matches(':disabled');
const follow = (e) => {
  const on = e.composedPath()[0];
  const p = { on, by: e, own: false, handled: false, connected: true, at: positionOf(on), off: disabled(on), released: '', clicked: null };
  // A change is told right after the script that made it, and so still inside of the event that it handles.
  const look = new MutationObserver(() => {
    if (p.own || p.by.eventPhase === 0) return; // a field that lost the focus may have pushed it away
    p.handled = true;
    p.own = !on.isConnected || disabled(on) !== p.off || positionOf(on) !== p.at;
  });
  for (const n of e.composedPath()) if (n.nodeType === 9 || n.nodeType === 11) look.observe(n, { subtree: true, childList: true, attributes: true });
  p.look = look;
  return p;
};
const press = (e) => {
  if (!pressed) pressed = follow(e);
  else if (!pressed.released) pressed.by = e;
};
const release = (e) => {
  const p = pressed;
  if (!p || p.clicked) return;
  p.by = e;
  if (!p.released) p.connected = p.on.isConnected;
  p.released = e.type;
};
onTrusted('pointerdown', press);
onTrusted('mousedown', press);
onTrusted('pointerup', release);
onTrusted('mouseup', release);
onTrusted('click', (e) => {
  if (!pressed || pressed.clicked) return;
  pressed.clicked = e.composedPath()[0];
  pressed.look.disconnect();
});
// serves: what happens to node happens to the element that was aimed at. Of a closed shadow root only its host is heard of.
const serves = (node) => reaches(node, wanted) || (!!rootOf(node) && within(wanted, node)) || part(node, wanted);
// pressFailure is why a press came to no click on the element although the page has done nothing about the press; '' when all is well.
const pressFailure = () => {
  const p = pressed;
  if (!p || p.own || !wanted) return '';
  if (!p.connected || (!p.released && !p.on.isConnected)) return p.clicked && p.clicked !== p.on && wanted.isConnected && serves(p.clicked) ? '' : 'gone';
  // What opens on the press lies under the release, and the click goes elsewhere: then the press has done its work.
  if (p.clicked) return !p.handled && p.on.isConnected && wanted.isConnected && positionOf(p.on) !== p.at && serves(p.on) && !serves(p.clicked) ? 'moved' : '';
  return p.released !== 'mouseup' && p.on.isConnected && !p.off && disabled(p.on) ? 'disabled' : '';
};
// missed is what the mouse was pressed on instead of the element that was aimed at, which is still there.
const missed = () => {
  const on = pressed && pressed.on;
  if (!on || !on.isConnected || !wanted || !wanted.isConnected) return '';
  // A press on another part of the widget is one on the field when the widget does something about it.
  if (serves(on) && (!part(on, wanted) || touched > 0 || within(active(), wanted))) return '';
  return on === native.document.root() || on === native.document.body() ? 'an empty part of the page' : summarize(on);
};
// tick lets the tasks pass that are due now. Not by a timer: those of a hidden tab come once a second. Then it reads the element.
act.tick = async (id) => {
  for (let i = 0; i < 2; i++) {
    await new Promise((done) => {
      const c = new MessageChannel();
      c.port1.onmessage = () => { c.port1.close(); done(); };
      c.port2.postMessage(0);
    });
  }
  if (observer) touch(observer.takeRecords());
  return { changes: touched, quiet: performance.now() - last, saving: act.fetching(), pressFailure: pressFailure(), missed: missed(), reading: id ? act.read(id) : null };
};

