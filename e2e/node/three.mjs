// Drives one open profile with Puppeteer, Playwright and Selenium at the same time, each as its documentation says for a
// browser that runs already. node three.mjs PORT PAGE
import puppeteer from 'puppeteer-core';
import { chromium } from 'playwright-core';
import { Builder, By } from 'selenium-webdriver';
import chrome from 'selenium-webdriver/chrome.js';

const [port, address] = process.argv.slice(2);
const rounds = Array.from({ length: 8 }, (_, i) => i);

// Each client works in a tab of its own: round(i) fills the form and returns what the page says, picture() brings the tab to
// the front first, because a hidden tab gives no picture (in Chrome without Cove as well).
async function withPuppeteer() {
  const browser = await puppeteer.connect({ browserURL: `http://127.0.0.1:${port}`, defaultViewport: null });
  const page = await browser.newPage();
  return {
    name: 'puppeteer',
    async round(i) {
      await page.goto(`${address}?who=puppeteer`);
      await page.type('#name', 'p' + i);
      await page.$eval('#go', (e) => e.click());
      return page.$eval('#said', (e) => e.textContent);
    },
    async picture() {
      await page.bringToFront();
      return (await page.screenshot()).length;
    },
    async end() {
      await page.close();
      await browser.disconnect();
    },
  };
}

async function withPlaywright() {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const page = await browser.contexts()[0].newPage();
  return {
    name: 'playwright',
    async round(i) {
      await page.goto(`${address}?who=playwright`);
      await page.fill('#name', 'w' + i);
      await page.click('#go');
      return page.textContent('#said');
    },
    async picture() {
      await page.bringToFront();
      return (await page.screenshot()).length;
    },
    async end() {
      await page.close();
      await browser.close(); // of a connection over CDP: disconnects
    },
  };
}

async function withSelenium() {
  const options = new chrome.Options();
  options.options_['debuggerAddress'] = `127.0.0.1:${port}`;
  const driver = await new Builder().forBrowser('chrome').setChromeOptions(options)
    .setChromeService(new chrome.ServiceBuilder('/usr/bin/chromedriver')).build();
  await driver.switchTo().newWindow('tab');
  return {
    name: 'selenium',
    async round(i) {
      await driver.get(`${address}?who=selenium`);
      await driver.findElement(By.id('name')).sendKeys('s' + i);
      await driver.findElement(By.id('go')).click();
      return driver.findElement(By.id('said')).getText();
    },
    async picture() {
      await driver.sendDevToolsCommand('Page.bringToFront', {});
      return (await driver.takeScreenshot()).length;
    },
    async end() {
      await driver.close();
      await driver.quit();
    },
  };
}

const clients = await Promise.all([withPuppeteer(), withPlaywright(), withSelenium()]);
const results = {};
await Promise.all(clients.map(async (client) => {
  const seen = [];
  for (const i of rounds) seen.push(await client.round(i));
  results[client.name] = { seen };
}));
for (const client of clients) results[client.name].shot = (await client.picture()) > 1000;
for (const client of clients) await client.end();
console.log(JSON.stringify(results));
process.exit(0);
