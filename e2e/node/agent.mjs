// An agent in an open profile sends its tab to Cove's own ports, in every way that it has. It prints, for each try, the status
// of the answer and what the tab then shows. node agent.mjs '{"port":N,"site":"http://…","addresses":[…]}'
import puppeteer from 'puppeteer-core';

const { port, site, addresses } = JSON.parse(process.argv[2]);
const browser = await puppeteer.connect({ browserURL: `http://127.0.0.1:${port}`, defaultViewport: null });
// A fetch that is refused to the page is told to the agent all the same.
const fetched = async (page, address, statuses) => {
  const session = await page.createCDPSession();
  session.on('Network.responseReceivedExtraInfo', (e) => statuses.push(e.statusCode));
  await session.send('Network.enable');
  await page.evaluate((a) => fetch(a).then((r) => r.text(), String).then((text) => { document.body.textContent = text; }), address);
  for (let i = 0; i < 1000 && !statuses.length; i++) await new Promise((ok) => setTimeout(ok, 10));
};

const ways = {
  'Page.navigate': (page, address) => page.goto(address),
  'Page.navigate with a referrer': async (page, address) => {
    const session = await page.createCDPSession();
    await Promise.all([page.waitForNavigation(), session.send('Page.navigate', { url: address, referrer: new URL('/docs', address).href, transitionType: 'typed' })]);
  },
  'a redirect': (page, address) => page.goto(`${site}/evil/redirect?code=302&to=${encodeURIComponent(address)}`),
  'a page that goes there': (page, address) => Promise.all([
    page.waitForResponse(address),
    page.goto(`${site}/evil/go?how=location&to=${encodeURIComponent(address)}`).catch(() => {}), // it goes on before it has arrived
  ]).then(() => page.waitForFunction(() => !location.pathname.startsWith('/evil/') && document.readyState === 'complete')),
  'a script': (page, address) => Promise.all([page.waitForNavigation(), page.evaluate((a) => { location.href = a; }, address)]),
  'fetch in a blank page': fetched,
};

const results = [];
async function attempt(way, address, page, go) {
  const result = { way, address, statuses: [] };
  page.on('response', (r) => { if (r.url() === address) result.statuses.push(r.status()); });
  try {
    await go(result.statuses);
    result.text = await page.evaluate(() => document.body.textContent);
  } catch (e) {
    result.error = String(e);
  }
  results.push(result);
  await page.close();
}
for (const address of addresses) {
  for (const [way, go] of Object.entries(ways)) {
    const page = await browser.newPage();
    await attempt(way, address, page, (statuses) => go(page, address, statuses));
  }
  // A new tab of the gate is at its address before anybody can listen.
  const r = await fetch(`http://127.0.0.1:${port}/json/new?${encodeURIComponent(address)}`, { method: 'PUT' });
  const { id } = await r.json();
  const page = await (await browser.waitForTarget((t) => t._targetId === id)).page();
  await attempt('a new tab of the gate', address, page, () => page.waitForFunction(() => document.readyState === 'complete' && location.href !== 'about:blank'));
}
await browser.disconnect();
console.log(JSON.stringify(results));
process.exit(0);
