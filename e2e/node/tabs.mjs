// Connects with Puppeteer and Playwright to a profile in which an agent has a tab, tries to act there, and works in a tab
// of its own. node tabs.mjs SOCKET AGENTS-PAGE OWN-PAGE
import puppeteer from 'puppeteer-core';
import { chromium } from 'playwright-core';

const [socket, theirs, own] = process.argv.slice(2);

// refusal is what a step that must fail says.
async function refusal(step) {
  try {
    await step();
    return '';
  } catch (e) {
    return e.message;
  }
}

// tries does the same with a page of either client.
async function tries(pages, open, close = (page) => page.close()) {
  const page = pages.find((p) => p.url() === theirs);
  if (!page) return { found: false };
  const seen = { found: true };
  seen.goto = await refusal(() => page.goto(own));
  seen.click = await refusal(() => page.mouse.click(5, 5));
  seen.eval = await refusal(() => page.evaluate(() => { document.title = 'changed'; }));
  seen.close = await refusal(() => close(page));
  const mine = await open();
  await mine.goto(own);
  seen.own = await mine.evaluate(() => document.title);
  await mine.close();
  seen.closed = page.isClosed();
  return seen;
}

const result = {};

const first = await puppeteer.connect({ browserWSEndpoint: socket }); // resizes the pages that it finds
result.puppeteer = await tries(await first.pages(), () => first.newPage());
await first.disconnect();

const second = await chromium.connectOverCDP(socket);
const context = second.contexts()[0];
// Its page.close waits for the end of the page for ever, whatever the browser answers.
result.playwright = await tries(context.pages(), () => context.newPage(), (page) => void page.close().catch(() => {}));
await second.close();

console.log(JSON.stringify(result));
