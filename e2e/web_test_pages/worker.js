// Fetches what it is told to: the attack of a worker, a shared worker and a service worker.
self.onmessage = (m) => tried(m.data, m.ports[0] ?? self);
self.onconnect = (e) => { e.ports[0].onmessage = (m) => tried(m.data, e.ports[0]); };

async function tried({ url, init }, port) {
  try {
    const r = await fetch(url, init);
    port.postMessage({ read: await r.text(), status: r.status, told: false });
  } catch {
    port.postMessage({ read: '', status: 0, told: false });
  }
}
