// Puppeteer and Playwright work at the same time in a browser that a person shares: each in tabs of its own, and both read
// the shared one. It prints what they saw, and what went wrong. node shared.mjs '{"endpoint":"ws://…","site":"…","rounds":N}'
import puppeteer from 'puppeteer-core';
import { chromium } from 'playwright-core';

const { endpoint, site, rounds } = JSON.parse(process.argv[2]);
const seen = [];
const failures = [];

// work opens a tab, reads it, reads every tab that there is, and closes its own.
async function work(name, list, open, again = () => {}) {
  // A window of another profile may be in front: then no tab opens, and the agent tries again.
  for (let done = 0, tries = 0; done < rounds && tries < 100; tries++) {
    try {
      const page = await open();
      await page.goto(site);
      seen.push(`${name} ${page.url()} ${await page.title()}`);
      for (const one of await list()) seen.push(`${name} sees ${one.url()}`);
      await page.close();
      done++;
    } catch (e) {
      // Puppeteer looks at every page of other agents, and remembers if one was led elsewhere or closed just then.
      if (/Target crashed|Target closed|Session closed|main frame too early|detached/i.test(`${e}`)) await again();
      else failures.push(`${name}: ${e}`);
    }
  }
}

async function withPuppeteer() {
  let browser;
  const connect = async () => {
    await browser?.disconnect();
    browser = await puppeteer.connect({ browserWSEndpoint: endpoint, defaultViewport: null });
  };
  await connect();
  await work('puppeteer', () => browser.pages(), () => browser.newPage(), connect);
  await browser.disconnect();
}

async function withPlaywright() {
  const browser = await chromium.connectOverCDP(endpoint);
  const [context] = browser.contexts();
  await work('playwright', () => context.pages(), () => context.newPage());
  await browser.close(); // of a connection over CDP: disconnects
}

await Promise.all([withPuppeteer(), withPlaywright()]);
console.log(JSON.stringify({ seen, failures }));
process.exit(0);
