// Runs Lighthouse on one page of a browser that is open, and prints lines of JSON: {"step"}, then {"result"} or {"error"}.
// Exit code 3: there is no Lighthouse here.
import {createRequire} from 'node:module';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const order = JSON.parse(readFileSync(0, 'utf8'));
const say = (line) => process.stdout.write(JSON.stringify(line) + '\n');

// npx puts the package beside the folder that it adds to PATH; npm install -g beside Node itself.
function find() {
  const list = (text) => (text ?? '').split(path.delimiter).filter(Boolean);
  const places = [
    ...list(process.env.NODE_PATH),
    ...list(process.env.PATH).filter((dir) => dir.endsWith(path.join('node_modules', '.bin'))).map((dir) => path.dirname(dir)),
    path.resolve(process.execPath, '../../lib/node_modules'),
    path.resolve(process.execPath, '../node_modules'),
  ];
  return places.map((dir) => path.join(dir, 'lighthouse', 'package.json')).find((file) => {
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version.split('.')[0] === order.major;
  });
}

const home = find();
if (!home) process.exit(3);
const require = createRequire(home);
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const {navigation, snapshot, generateReport} = await import(pathToFileURL(path.resolve(home, '../core/index.js')).href);
const {default: log} = await load('lighthouse-logger');
const {default: puppeteer} = await load('puppeteer-core');
log.events.on('status', (words) => say({step: String(words.at(-1))}));
log.setLevel('silent');

const browser = await puppeteer.connect({browserWSEndpoint: order.endpoint, defaultViewport: null});
browser.on('disconnected', () => process.exit(1));
try {
  const target = await browser.waitForTarget((t) => t._targetId === order.target, {timeout: 10000});
  const page = await target.page();
  const mobile = order.device === 'mobile';
  const flags = {
    onlyCategories: ['accessibility', 'best-practices', 'seo'],
    formFactor: order.device,
    screenEmulation: mobile ? {mobile, width: 412, height: 823, deviceScaleFactor: 1.75, disabled: false} : {mobile, width: 1350, height: 940, deviceScaleFactor: 1, disabled: false},
    throttlingMethod: 'provided',
    disableStorageReset: true, // the person's logins live there
    maxWaitForLoad: 30000,
  };
  const {lhr} = order.mode === 'snapshot' ? await snapshot(page, {flags}) : await navigation(page, order.url, {flags});
  const reports = ['json', 'html'].map((kind) => {
    const file = path.join(order.dir, 'report.' + kind);
    writeFileSync(file, generateReport(lhr, kind), {mode: 0o600});
    return file;
  });
  say({result: {...summary(lhr), reports}});
  browser.off('disconnected');
  await browser.disconnect();
  process.exit(0);
} catch (e) {
  say({error: e?.friendlyMessage ?? e?.message ?? String(e)});
  process.exit(1);
}

function summary(lhr) {
  const category = {};
  for (const c of Object.values(lhr.categories)) for (const ref of c.auditRefs) category[ref.id] ??= c.id;
  const rated = Object.values(lhr.audits).filter((a) => a.score !== null && category[a.id]);
  const failed = rated.filter((a) => a.score < 1);
  return {
    url: lhr.finalDisplayedUrl,
    problem: lhr.runtimeError?.message ?? '',
    warnings: lhr.runWarnings,
    total: lhr.timing.total,
    categories: Object.values(lhr.categories).map((c) => ({id: c.id, title: c.title, score: c.score === null ? -1 : Math.round(c.score * 100)})),
    passed: rated.length - failed.length,
    failed: failed.map((a) => {
      const nodes = (a.details?.items ?? []).map((i) => i.node).filter((n) => n?.type === 'node');
      return {
        id: a.id, category: category[a.id], title: a.title, score: a.score, text: a.description, count: nodes.length,
        nodes: nodes.slice(0, 5).map((n) => ({selector: n.selector, label: n.nodeLabel, snippet: n.snippet, why: n.explanation ?? ''})),
      };
    }),
  };
}
