// Opens a page as a script does with what the API answered, and tells its title.
// node compat.mjs playwright|puppeteer|selenium ADDRESS PAGE [CHROMEDRIVER]
import puppeteer from 'puppeteer-core';
import { chromium } from 'playwright-core';
import { Builder } from 'selenium-webdriver';
import chrome from 'selenium-webdriver/chrome.js';

const [kind, address, page, driver] = process.argv.slice(2);

const open = {
  async playwright() {
    const browser = await chromium.connectOverCDP(address);
    const tab = browser.contexts()[0].pages()[0];
    await tab.bringToFront();
    await tab.goto(page);
    const title = await tab.title();
    await browser.close(); // of a connection over CDP: disconnects
    return title;
  },
  async puppeteer() {
    const browser = await puppeteer.connect({ browserWSEndpoint: address, defaultViewport: null });
    const tab = await browser.newPage();
    await tab.goto(page);
    const title = await tab.title();
    await browser.disconnect();
    return title;
  },
  async selenium() {
    const options = new chrome.Options();
    options.options_['debuggerAddress'] = address;
    const session = await new Builder().forBrowser('chrome').setChromeOptions(options)
      .setChromeService(new chrome.ServiceBuilder(driver || '/usr/bin/chromedriver')).build();
    await session.get(page);
    const title = await session.getTitle();
    await session.quit(); // of a browser that ran before: ends the driver
    return title;
  },
};
console.log(JSON.stringify({ title: await open[kind]() }));
