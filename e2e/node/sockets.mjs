// Opens WebSockets at a gate: Puppeteer's at every name of the host, then bare ones with and without Origin.
// node sockets.mjs '{"port":N,"path":"/devtools/browser/…","hosts":[…],"origins":[…],"wrong":[…]}'
import puppeteer from 'puppeteer-core';
import WebSocket from 'ws';

const { port, path, hosts, origins, wrong } = JSON.parse(process.argv[2]);

// knock returns the status with which a WebSocket is answered: 101 when it opens.
const knock = (path, headers) => new Promise((ok, no) => {
  const ws = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  ws.on('open', () => { ws.terminate(); ok(101); });
  ws.on('unexpected-response', (_, res) => { res.destroy(); ok(res.statusCode); });
  ws.on('error', no);
});

const result = { puppeteer: {}, origins: {}, wrong: {} };
for (const host of hosts) {
  const browser = await puppeteer.connect({ browserWSEndpoint: `ws://${host}:${port}${path}`, defaultViewport: null });
  const page = await browser.newPage();
  result.puppeteer[host] = await page.evaluate(() => 6 * 7);
  await page.close();
  await browser.disconnect();
}
result.bare = await knock(path);
for (const origin of origins) result.origins[origin] = await knock(path, { Origin: origin });
for (const path of wrong) result.wrong[path] = await knock(path);
console.log(JSON.stringify(result));
process.exit(0);
