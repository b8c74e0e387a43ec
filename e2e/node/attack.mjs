// Opens the pages that standard input names, one after the other: each line is an address, and the page before it is closed.
// It ends with standard input. node attack.mjs '{"args":[…]}' for a browser of its own, '{"port":N}' for an open profile.
import { createInterface } from 'node:readline';
import puppeteer from 'puppeteer-core';

const { args, port } = JSON.parse(process.argv[2]);
const browser = port
  ? await puppeteer.connect({ browserURL: `http://127.0.0.1:${port}`, defaultViewport: null })
  : await puppeteer.launch({ executablePath: '/usr/bin/chromium', args, acceptInsecureCerts: true });
let page;
for await (const address of createInterface({ input: process.stdin })) {
  const next = await browser.newPage();
  // A window that an attack opened may be gone by now: closing it again is no failure.
  for (const old of port ? [page] : await browser.pages()) if (old !== next) await old?.close().catch(() => {});
  page = next;
  await page.goto(address, { waitUntil: 'domcontentloaded' });
}
await page?.close().catch(() => {});
await (port ? browser.disconnect() : browser.close());
