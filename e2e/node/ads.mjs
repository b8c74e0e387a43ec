// Drives a profile as scripts for AdsPower do, with Puppeteer and then with Selenium, as in AdsPower's own examples; only the
// port and the key are Cove's. node ads.mjs BASE KEY v1|v2 ID PAGE
import puppeteer from 'puppeteer-core';
import { Builder, By } from 'selenium-webdriver';
import chrome from 'selenium-webdriver/chrome.js';

const [base, key, generation, id, address] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
const get = async (path) => (await fetch(base + path, { headers })).json();
const post = async (path, body) => (await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
const api = generation === 'v1'
  ? {
      start: () => get(`/api/v1/browser/start?user_id=${id}&open_tabs=1&ip_tab=0`),
      active: () => get(`/api/v1/browser/active?user_id=${id}`),
      stop: () => get(`/api/v1/browser/stop?user_id=${id}`),
    }
  : {
      start: () => post('/api/v2/browser-profile/start', { profile_id: id, last_opened_tabs: '0', proxy_detection: '0' }),
      active: () => get(`/api/v2/browser-profile/active?profile_id=${id}`),
      stop: () => post('/api/v2/browser-profile/stop', { profile_id: id }),
    };

async function withPuppeteer() {
  const res = await api.start();
  if (res.code !== 0 || !res.data.ws || !res.data.ws.puppeteer) throw new Error(JSON.stringify(res));
  const browser = await puppeteer.connect({ browserWSEndpoint: res.data.ws.puppeteer, defaultViewport: null });
  const page = await browser.newPage();
  await page.goto(`${address}?who=puppeteer`);
  await page.type('#name', 'p');
  await page.$eval('#go', (e) => e.click());
  const said = await page.$eval('#said', (e) => e.textContent);
  await browser.disconnect();
  return said;
}

async function withSelenium() {
  const res = await api.start(); // it is open already: the same addresses
  if (res.code !== 0) throw new Error(JSON.stringify(res));
  const options = new chrome.Options();
  options.options_['debuggerAddress'] = res.data.ws.selenium;
  const driver = await new Builder().forBrowser('chrome').setChromeOptions(options)
    .setChromeService(new chrome.ServiceBuilder(res.data.webdriver)).build();
  await driver.get(`${address}?who=selenium`);
  await driver.findElement(By.id('name')).sendKeys('s');
  await driver.findElement(By.id('go')).click();
  const said = await driver.findElement(By.id('said')).getText();
  await driver.quit();
  return said;
}

const out = { before: await api.active(), puppeteer: await withPuppeteer(), active: await api.active() };
out.selenium = await withSelenium();
out.stop = await api.stop();
out.again = await api.stop();
out.after = await api.active();
console.log(JSON.stringify(out));
process.exit(0);
