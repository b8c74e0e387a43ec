// An agent opens a page that Cove serves and calls the API as that page would. node docs.mjs PORT PAGE CALL
import puppeteer from 'puppeteer-core';

const [port, address, call] = process.argv.slice(2);
const browser = await puppeteer.connect({ browserURL: `http://127.0.0.1:${port}`, defaultViewport: null });
const page = await browser.newPage();
const result = {};
try {
  result.opened = (await page.goto(address)).status();
} catch (e) {
  result.refused = String(e);
}
result.called = await page.evaluate((a) => fetch(a).then((r) => r.status, () => 0), call);
await page.close();
await browser.disconnect();
console.log(JSON.stringify(result));
process.exit(0);
