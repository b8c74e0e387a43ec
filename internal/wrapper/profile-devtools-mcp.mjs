// Connects an MCP client to one Cove profile through the devtools MCP server (npm chrome-devtools-mcp).
//
//   node profile-devtools-mcp.mjs PROFILE_ID
//
// It opens the profile if it is closed, finds the port of its browser and runs the devtools server on it. The profile stays
// open when the client ends. One file for macOS, Windows and Linux; Node 18 or later; no packages.
// `cove wrapper install` wrote it; the port of Cove's local API stands in it twice, below.

import { spawn } from 'child_process';
import fs from 'fs';
import http from 'http';
import os from 'os';
import path from 'path';

const STATUS_URL = 'http://127.0.0.1:3001/v1.0/status';
const START_URL = 'http://127.0.0.1:3001/v1.0/browser_profiles/ID/start?automation=1';
const ACTIVE_URL = START_URL.replace('start?automation=1', 'active');

// The data folder whose profiles this file opens, whatever the environment says; `cove wrapper install` fills it in.
const DATA_FOLDER = '';

const PACKAGE = 'chrome-devtools-mcp';
const VERSION = '1.11.0';

// Quiet keeps the server from phoning home, from its daily look for updates and from settings of other browsers.
const QUIET_FLAGS = ['--no-usage-statistics', '--no-performance-crux'];
const QUIET_ENV = { CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS: '1', CHROME_DEVTOOLS_MCP_NO_CONFIG_DISCOVERY: '1', NO_UPDATE_NOTIFIER: '1' };

const NATIVE = `or let your client run ${cove('mcp ID')} instead of this file, which needs no Node`;

// Failure is what a person is told, in one sentence with the remedy.
class Failure extends Error {}

// cove is a command that a person is told to run. Another data folder than the usual one stands in it.
function cove(words) {
  return `\`cove ${words}${homeFlag(process.platform, process.env, os.homedir(), DATA_FOLDER)}\``;
}

export function homeFlag(platform, env, home, folder) {
  if (!folder || same(folder, usualFolder(platform, env, home))) return '';
  const plain = platform === 'win32' ? /^[\w@+=:,./\\-]+$/ : /^[\w@%+=:,./-]+$/;
  if (plain.test(folder)) return ` --home ${folder}`;
  return platform === 'win32' ? ` --home "${folder}"` : ` --home '${folder.split("'").join(`'\\''`)}'`;
}

// ---- what it is asked for

export function profileOf(args) {
  if (args.some((a) => /^--auto-?connect/i.test(a))) {
    throw new Failure(
      '--autoConnect does not work with Cove profiles: it looks for a debugging port that Chrome opened by itself in its own default profile, ' +
        'and only Cove holds the line to a profile\'s browser; leave it out and give the profile id alone.',
    );
  }
  if (args.length !== 1) {
    const told = args.length === 0 ? 'no argument was given' : `${args.length} were given`;
    throw new Failure(`Exactly one argument is needed, the profile id, but ${told}: run \`node profile-devtools-mcp.mjs 1\`; ${cove('profile list')} shows the ids.`);
  }
  if (!/^[0-9]+$/.test(args[0]) || Number(args[0]) > 2147483647 || Number(args[0]) < 1) {
    throw new Failure(`"${args[0]}" is not a profile id, which is a number such as 1: ${cove('profile list')} shows the ids.`);
  }
  return String(Number(args[0]));
}

export function checkNode(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major < 18) {
    throw new Failure(`Node ${version} is too old for this file, which needs 18 or later: install a newer Node, ${NATIVE}.`);
  }
  const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major >= 23;
  if (!fits) {
    throw new Failure(
      `Node ${version} is too old for ${PACKAGE}, which needs 20.19 or later of version 20, or better 22.12 or later, which some of its tools need: install a newer Node, ${NATIVE}.`,
    );
  }
  return major < 22 ? `Some tools of ${PACKAGE} need Node 22.12 or later and fail with Node ${version}; ${cove('mcp ID')} needs no Node.` : '';
}

// ---- the app and its data folder

export function usualFolder(platform, env, home) {
  const p = platform === 'win32' ? path.win32 : path.posix;
  if (platform === 'win32') return p.join(env.APPDATA || p.join(home, 'AppData', 'Roaming'), 'cove_browser');
  if (platform === 'darwin') return p.join(home, 'Library', 'Application Support', 'cove_browser');
  return p.join(env.XDG_CONFIG_HOME || p.join(home, '.config'), 'cove_browser');
}

function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (e) {
    return '';
  }
}

// same tells whether two names mean one folder.
function same(a, b) {
  const [x, y] = [a, b].map((folder) => {
    try {
      return fs.realpathSync.native(folder);
    } catch (e) {
      return path.resolve(folder);
    }
  });
  return process.platform === 'win32' ? x.toLowerCase() === y.toLowerCase() : x === y;
}

// get asks for a page on loopback. It rejects when the answer is not complete in time.
function get(url, headers = {}, timeout = 3000) {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (d) => {
        text += d;
        if (text.length > 1 << 20) request.destroy(new Error('the answer is too long'));
      });
      response.on('end', () => {
        let body = null;
        try {
          body = JSON.parse(text);
        } catch (e) {
          // not JSON: not Cove's, or an error page
        }
        resolve({ status: response.statusCode, headers: response.headers, body });
      });
      response.on('error', reject);
    });
    const timer = setTimeout(() => request.destroy(new Error('no answer in time')), timeout);
    request.on('close', () => clearTimeout(timer));
    request.on('error', reject);
  });
}

// onPort is the address with another port.
function onPort(url, port) {
  const u = new URL(url);
  u.port = String(port);
  return u.href;
}

// lookForApp returns the app that has this data folder, {port, named}; else {stranger}, what is in its place. app.json names
// its port while it runs; the one above is asked too. Another Cove would open a profile of the same number with other logins.
async function lookForApp(folder) {
  const here = Number(new URL(STATUS_URL).port);
  const named = appPort(folder);
  let stranger = '';
  for (const port of new Set([named, here])) {
    if (!port) continue;
    let answer;
    try {
      answer = await get(onPort(STATUS_URL, port));
    } catch (e) {
      continue;
    }
    const status = answer.body;
    if (!status || typeof status !== 'object' || status.app !== 'cove') {
      if (port === here) stranger = `Port ${port} of this computer is used by another program than Cove`;
      continue;
    }
    if (typeof status.home === 'string' && !same(status.home, folder)) {
      if (port === here) stranger = `The Cove on port ${port} keeps its profiles in ${status.home}, not in ${folder}`;
      continue;
    }
    return { port, named: port === named };
  }
  return { stranger };
}

function mustRun(app) {
  if (app.port) return app;
  if (app.stranger) {
    throw new Failure(`${app.stranger}: start the right one with ${cove('up')}, run ${cove('wrapper install')} again, which writes its port into this file, and try again.`);
  }
  throw new Failure(`Cove is not running: start it with ${cove('up')}, then try again.`);
}

// credential is the owner's token, for the app alone: any program can listen on a port and call itself Cove, but only the app
// writes app.json.
function credential(folder, app) {
  const token = app.named ? read(path.join(folder, 'owner.token')).trim() : '';
  return token ? { Authorization: `Bearer ${token}` } : {};
}

function appPort(folder) {
  try {
    return Number(JSON.parse(read(path.join(folder, 'app.json'))).api_port) || 0;
  } catch (e) {
    return 0;
  }
}

// ---- the profile's browser

// A place is where the profile's browser listens: {port, path, guarded}.

// openPlace is the place that DevToolsActivePort tells of, if it answers and is this profile's; else null.
async function openPlace(folder, id) {
  const lines = read(path.join(folder, 'browser_profiles', id, 'data_dir', 'DevToolsActivePort')).split('\n');
  const port = Number(lines[0]);
  const wanted = (lines[1] || '').trim();
  if (!Number.isInteger(port) || port < 1 || port > 65535 || !wanted.startsWith('/devtools/browser/')) return null;
  return await examine(port, wanted);
}

// examine asks the port whether it is the browser with this path. A guarded profile does not tell its path, it only opens it.
async function examine(port, wanted) {
  let answer;
  try {
    answer = await get(`http://127.0.0.1:${port}/json/version`);
  } catch (e) {
    return null;
  }
  if (answer.status === 401 || answer.status === 403) {
    return (await opens(port, wanted)) ? { port, path: wanted, guarded: true } : null;
  }
  const address = answer.body && answer.body.webSocketDebuggerUrl;
  let found = '';
  try {
    found = new URL(address).pathname;
  } catch (e) {
    return null;
  }
  return found === wanted ? { port, path: wanted, guarded: false } : null;
}

// opens tells whether a WebSocket can be opened there; it is closed at once.
function opens(port, wanted) {
  return new Promise((resolve) => {
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': Buffer.from(String(Math.random()).padEnd(16, '0').slice(0, 16)).toString('base64') };
    const request = http.get({ host: '127.0.0.1', port, path: wanted, headers, agent: false, timeout: 3000 }, (response) => {
      response.resume();
      resolve(false);
    });
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(true);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}

// confirmed asks a running app whether this is the profile's place: the file may have come with a copied folder, and then it
// tells of another profile's browser. Without the app, and for one that does not say, the file's word stands.
async function confirmed(app, folder, id, place) {
  if (!app.port) return true;
  let answer;
  try {
    answer = await get(onPort(ACTIVE_URL.replace('ID', id), app.port), credential(folder, app));
  } catch (e) {
    return true;
  }
  if (answer.status === 404) return false;
  if (answer.status !== 200 || !answer.body) return true;
  const { port, wsEndpoint } = answer.body.automation || {};
  return port === place.port && (!wsEndpoint || wsEndpoint === place.path);
}

// startProfile asks the app to open the profile and returns its place.
async function startProfile(folder, app, id) {
  const headers = credential(folder, app);
  const url = onPort(START_URL.replace('ID', id), app.port);
  for (const end = Date.now() + 120000; ; ) {
    let answer;
    try {
      answer = await get(url, headers, 180000);
    } catch (e) {
      throw new Failure(`Cove went away while the profile was opening: start it with ${cove('up')}, then try again.`);
    }
    const body = answer.body || {};
    if (answer.status === 429 && Date.now() < end) {
      await new Promise((done) => setTimeout(done, Math.min(Math.max(Number(answer.headers['retry-after']) || 1, 1), 30) * 1000));
      continue;
    }
    const automation = body.automation;
    if ((answer.status === 200 || answer.status === 409) && automation && automation.port) {
      const place = (await placeOf(automation)) || (await openPlace(folder, id));
      return place && place.port === automation.port ? place : gone(id);
    }
    throw new Failure(refusal(answer.status, body, id));
  }
}

function gone(id) {
  throw new Failure(`Profile ${id} was closed while it was opening: try again.`);
}

async function placeOf(automation) {
  if (automation.wsEndpoint) return await examine(automation.port, automation.wsEndpoint);
  return null; // guarded, and we have no credential: only DevToolsActivePort tells the path
}

export function refusal(status, body, id) {
  const told = body.errorObject || {};
  switch (status) {
    case 401:
      return `You are not logged in to Cove: run ${cove('login --owner')}, then try again.`;
    case 402:
      return `The Free plan has no automation: change the plan with ${cove('account set-plan solo')}, then try again.`;
    case 404:
      return `There is no profile ${id}: ${cove('profile list')} shows the ids.`;
    case 409:
      return `Profile ${id} is open in ordinary mode, by hand: close its window or run ${cove(`stop ${id}`)}, then try again.`;
  }
  const text = told.text || body.message || `Cove answered ${status}`;
  // What the browser said last may be many lines, and ends anyhow.
  const parts = [text, told.hint || `Run ${cove('doctor')}, then try again`].filter(Boolean).map((part) => part.replace(/\s+/g, ' ').trim().replace(/[^.!?…]$/, '$&.'));
  return `Profile ${id} could not be opened: ${parts.join(' ')}`;
}

// ---- the devtools server

// folders is where an installed package may be, without asking npm or the network.
export function folders(platform, env, home, execPath, here) {
  const p = platform === 'win32' ? path.win32 : path.posix;
  const bin = p.dirname(execPath);
  const found = [p.join(here, 'node_modules')];
  if (env.NODE_PATH) found.push(...env.NODE_PATH.split(p.delimiter).filter(Boolean));
  if (platform === 'win32') {
    if (env.APPDATA) found.push(p.join(env.APPDATA, 'npm', 'node_modules'));
    found.push(p.join(bin, 'node_modules'));
  } else {
    found.push(p.join(bin, '..', 'lib', 'node_modules'));
  }
  const cache = env.npm_config_cache || (platform === 'win32' ? p.join(env.LOCALAPPDATA || p.join(home, 'AppData', 'Local'), 'npm-cache') : p.join(home, '.npm'));
  try {
    for (const name of fs.readdirSync(p.join(cache, '_npx'))) found.push(p.join(cache, '_npx', name, 'node_modules'));
  } catch (e) {
    // npx was never used
  }
  return found;
}

// installed is the main file of the package at the version that Cove is tested with, or ''.
function installed(places) {
  for (const folder of places) {
    try {
      const dir = path.join(folder, PACKAGE);
      const about = JSON.parse(fs.readFileSync(path.join(dir, 'package.json'), 'utf8'));
      const main = path.join(dir, about.bin[PACKAGE]);
      if (about.name === PACKAGE && about.version === VERSION && fs.statSync(main).isFile()) return main;
    } catch (e) {
      // not here
    }
  }
  return '';
}

// findNpx looks beside node first: clients often give node's full path and a PATH without it.
export function findNpx(platform, env, execPath, exists) {
  const p = platform === 'win32' ? path.win32 : path.posix;
  const name = platform === 'win32' ? 'npx.cmd' : 'npx';
  const search = env.PATH || env.Path || '';
  for (const folder of [p.dirname(execPath), ...search.split(p.delimiter)]) {
    if (folder && exists(p.join(folder, name))) return p.join(folder, name);
  }
  return '';
}

// serverCommand is what is spawned: the installed package by this very node, or npx.
export function serverCommand({ platform, env, execPath, main, npx }, flags) {
  const p = platform === 'win32' ? path.win32 : path.posix;
  const options = { stdio: ['pipe', 'inherit', 'inherit'], windowsHide: true, env: { ...env, ...QUIET_ENV } };
  if (platform !== 'win32') options.detached = true; // a process group of its own, so that npx's children end with it
  if (main) return { file: execPath, args: [main, ...flags], options };
  // npx runs `node` by name.
  const key = Object.keys(env).find((k) => k.toUpperCase() === 'PATH') || 'PATH';
  options.env[key] = [p.dirname(execPath), env[key]].filter(Boolean).join(p.delimiter);
  const args = ['-y', `${PACKAGE}@${VERSION}`, ...flags];
  if (platform !== 'win32') return { file: npx, args, options };
  // A .cmd file runs only in a shell, which takes one line (Node 24 complains about a list); no argument of ours has a
  // character that means something to it.
  return { file: `"${npx}" ${args.join(' ')}`, args: [], options: { ...options, shell: true } };
}

// endTree ends the server and everything that it started.
export function endTree(platform, child, signal, run = spawn, kill = process.kill) {
  if (platform === 'win32') {
    run('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => child.kill());
    return;
  }
  try {
    kill(-child.pid, signal);
  } catch (e) {
    // it has ended
  }
}

// serve runs the server until it ends and returns its exit code.
export function serve(platform, { file, args, options }, run = spawn, self = process) {
  return new Promise((resolve, reject) => {
    const child = run(file, args, options);
    const timers = [];
    const later = (ms, signal) => timers.push(setTimeout(() => endTree(platform, child, signal, run, self.kill), ms));
    child.on('error', reject);
    // The input goes through us: when this process is killed, the server sees its end and leaves.
    self.stdin.pipe(child.stdin);
    child.stdin.on('error', () => {}); // it has ended; its exit code tells
    self.stdin.on('end', () => {
      later(5000, 'SIGTERM');
      later(8000, 'SIGKILL');
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      self.on(signal, () => {
        endTree(platform, child, signal, run, self.kill);
        later(5000, 'SIGKILL');
      });
    }
    child.on('exit', (code, signal) => {
      timers.forEach(clearTimeout);
      if (platform !== 'win32') endTree(platform, child, 'SIGKILL', run, self.kill); // what npx may have left in the group
      resolve(code === null ? 128 + (os.constants.signals[signal] || 0) : code);
    });
  });
}

async function connect(id) {
  const folder = DATA_FOLDER || process.env.COVE_HOME || usualFolder(process.platform, process.env, os.homedir());
  const [app, place] = await Promise.all([lookForApp(folder), openPlace(folder, id)]);
  return place && (await confirmed(app, folder, id, place)) ? place : await startProfile(folder, mustRun(app), id);
}

async function main() {
  const note = checkNode(process.versions.node);
  const id = profileOf(process.argv.slice(2));
  const here = path.dirname(decodeURIComponent(new URL(import.meta.url).pathname).replace(/^\/([A-Za-z]:)/, '$1'));
  const script = installed(folders(process.platform, process.env, os.homedir(), process.execPath, here));
  const npx = script ? '' : findNpx(process.platform, process.env, process.execPath, fs.existsSync);
  if (!script && !npx) {
    throw new Failure(`npx was not found, which fetches ${PACKAGE}: install Node with npm, ${NATIVE}.`);
  }
  const place = await connect(id);
  if (note) process.stderr.write(`${note}\n`);
  if (!script) process.stderr.write(`${PACKAGE} ${VERSION} is fetched from npm: the first run takes a little longer.\n`);
  const address = place.guarded ? ['--wsEndpoint', `ws://127.0.0.1:${place.port}${place.path}`] : ['--browserUrl', `http://127.0.0.1:${place.port}`];
  const { platform, env, execPath } = process;
  return await serve(platform, serverCommand({ platform, env, execPath, main: script, npx }, [...address, ...QUIET_FLAGS]));
}

if (!import.meta.url.endsWith('?test')) {
  main().then(
    (code) => process.exit(code),
    (e) => {
      process.stderr.write((e instanceof Failure ? e.message : `The devtools server could not be started: ${e.message}; run ${cove('doctor')}, ${NATIVE}.`) + '\n');
      process.exit(1);
    },
  );
}
