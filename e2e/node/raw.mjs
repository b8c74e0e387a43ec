// Tries with Puppeteer what a policy may forbid, and says of each attempt what came of it.
// node raw.mjs PORT TOKEN SOCKET PAGE BLOCKED
import puppeteer from 'puppeteer-core';

const [port, token, socket, address, blocked] = process.argv.slice(2);
const got = {};
const attempt = async (what, work) => {
  let timer;
  const limit = new Promise((_, no) => { timer = setTimeout(() => no(new Error('no answer')), 60000); });
  try {
    got[what] = `ok ${await Promise.race([work(), limit]) ?? ''}`.trim();
  } catch (e) {
    got[what] = String(e.message ?? e).slice(0, 500);
  } finally {
    clearTimeout(timer);
  }
};

const browserURL = `http://127.0.0.1:${port}`;
await attempt('without a credential', async () => {
  const answer = await fetch(browserURL + '/json/version');
  if (!answer.ok) throw new Error(String(answer.status));
});
await attempt('with a credential', async () => {
  const answer = await fetch(browserURL + '/json/version', { headers: token ? { Authorization: `Bearer ${token}` } : {} });
  if (!answer.ok) throw new Error(String(answer.status));
});

const browser = await puppeteer.connect({ browserWSEndpoint: socket });
const page = await browser.newPage();
const cdp = await page.createCDPSession();
await attempt('navigates', async () => {
  await page.goto(address);
  const { targetInfo } = await cdp.send('Target.getTargetInfo');
  return targetInfo.title;
});
await attempt('takes a picture', async () => (await page.screenshot()).length > 1000);
await attempt('reads the tree', async () => JSON.stringify((await cdp.send('Accessibility.getFullAXTree')).nodes));
await attempt('clicks', async () => {
  await page.goto(address + '/plain');
  await page.mouse.click(5, 5);
  await page.keyboard.press('Enter');
  await page.goto(address);
});
await attempt('evaluates', () => page.evaluate(() => 1 + 1));
await attempt('goes to a file', () => page.goto('file:///etc/passwd'));
await attempt('goes to a blocked site', async () => (await page.goto(blocked + '/form')).status());
await attempt('goes to chrome:', async () => { await page.goto('chrome://extensions'); });
await page.goto(address);
await attempt('reads cookies', async () => (await cdp.send('Network.getCookies')).cookies.map((c) => `${c.name}=${c.value}`).join());
await attempt('reads all cookies', async () => (await browser.cookies()).map((c) => `${c.name}=${c.value}`).join());
await attempt('a context', async () => { await (await browser.createBrowserContext()).close(); });
await attempt('a context with a proxy', () => browser.createBrowserContext({ proxyServer: 'direct://' }));
await attempt('a page in a context', async () => {
  const context = await browser.createBrowserContext();
  const other = await context.newPage();
  await other.goto(address);
  const { targetInfo } = await (await other.createCDPSession()).send('Target.getTargetInfo');
  await attempt('a file from a context', () => other.goto('file:///etc/passwd'));
  await context.close();
  return targetInfo.title;
});
const root = browser.target();
const { targetInfos } = await cdp.send('Target.getTargets');
await attempt('exposes the protocol', () => cdp.connection().send('Target.exposeDevToolsProtocol', { targetId: targetInfos[0].targetId }));
await attempt('other browsers', () => cdp.connection().send('Target.setRemoteLocations', { locations: [{ host: '127.0.0.1', port: 9 }] }));
await attempt('an extension', () => cdp.connection().send('Extensions.loadUnpacked', { path: '/tmp' }));
await attempt('intercepts', async () => { await cdp.send('Fetch.enable'); });
await attempt('stops intercepting', async () => { await cdp.send('Fetch.disable'); });
await attempt('a script in each page', async () => { await page.evaluateOnNewDocument(() => 1); });
await attempt('nested in a session', async () => {
  // Sessions inside sessions carry their commands in a text. The browser is a target, too.
  const connection = cdp.connection();
  const { targetInfos: all } = await connection.send('Target.getTargets', { filter: [{}] });
  const itself = all.find((t) => t.type === 'browser') ?? all[0];
  const { sessionId } = await connection.send('Target.attachToTarget', { targetId: itself.targetId });
  await connection.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id: 1, method: 'Target.createBrowserContext', params: { proxyServer: 'direct://' } }) });
});
await attempt('a session of the browser', async () => { await root.createCDPSession(); });
await attempt('closes the browser', () => (token ? browser.close() : browser.disconnect()));
console.log(JSON.stringify(got));
process.exit(0);
