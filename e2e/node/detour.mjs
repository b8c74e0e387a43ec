// Puppeteer and Playwright, one after the other, open an address that a server leads over a site that is closed to them.
// It prints where each ended, and what it knows of the answer. node detour.mjs '{"endpoint":"ws://…","address":"…"}'
import puppeteer from 'puppeteer-core';
import { chromium } from 'playwright-core';

const { endpoint, address } = JSON.parse(process.argv[2]);
const ends = [];

// go opens the address, and waits until the page has nothing more to load.
async function go(page, idle) {
  const response = await page.goto(address, { waitUntil: idle });
  ends.push(`${page.url()} ${response?.status()} ${await page.title()}`);
  await page.close();
}

const one = await puppeteer.connect({ browserWSEndpoint: endpoint, defaultViewport: null });
await go(await one.newPage(), 'networkidle0');
await one.disconnect();

const other = await chromium.connectOverCDP(endpoint);
await go(await other.contexts()[0].newPage(), 'networkidle');
await other.close(); // of a connection over CDP: disconnects

console.log(JSON.stringify(ends));
process.exit(0);
