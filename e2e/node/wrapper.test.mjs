// The wrapper's own functions with another system in the place of this one: what Windows and macOS would do.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import {
  checkNode,
  endTree,
  findNpx,
  folders,
  profileOf,
  homeFlag,
  refusal,
  serve,
  serverCommand,
  usualFolder,
} from '../../internal/wrapper/profile-devtools-mcp.mjs?test';

test('the usual data folder of each system', () => {
  assert.equal(usualFolder('linux', {}, '/home/me'), '/home/me/.config/cove_browser');
  assert.equal(usualFolder('linux', { XDG_CONFIG_HOME: '/conf' }, '/home/me'), '/conf/cove_browser');
  assert.equal(usualFolder('darwin', { XDG_CONFIG_HOME: '/conf' }, '/Users/me'), '/Users/me/Library/Application Support/cove_browser');
  assert.equal(usualFolder('win32', { APPDATA: 'D:\\Roaming' }, 'C:\\Users\\me'), 'D:\\Roaming\\cove_browser');
  assert.equal(usualFolder('win32', {}, 'C:\\Users\\Zoë M'), 'C:\\Users\\Zoë M\\AppData\\Roaming\\cove_browser');
});

test('a command names another data folder than the usual one', () => {
  assert.equal(homeFlag('linux', {}, '/home/me', ''), '');
  assert.equal(homeFlag('linux', {}, '/home/me', '/home/me/.config/cove_browser'), '');
  assert.equal(homeFlag('linux', {}, '/home/me', '/srv/cove'), ' --home /srv/cove');
  assert.equal(homeFlag('linux', {}, '/home/me', "/srv/Zoë's cove"), ` --home '/srv/Zoë'\\''s cove'`);
  assert.equal(homeFlag('win32', {}, 'C:\\Users\\me', 'D:\\cove'), ' --home D:\\cove');
  assert.equal(homeFlag('win32', {}, 'C:\\Users\\me', 'D:\\my cove'), ' --home "D:\\my cove"');
});

test('a profile id', () => {
  assert.equal(profileOf(['1']), '1');
  assert.equal(profileOf(['2147483647']), '2147483647');
  assert.equal(profileOf(['007']), '7');
  for (const args of [[], ['1', '2'], ['a'], ['0'], ['-1'], ['1.0'], ['0x1'], ['1e3'], [' 1'], ['2147483648'], ['1/../2'], ['١'], ['--autoConnect'], ['--autoconnect=1', '1']]) {
    assert.throws(() => profileOf(args), (e) => !/\n/.test(e.message) && e.message.endsWith('.'), String(args));
  }
});

test('the versions of Node', () => {
  for (const old of ['14.0.0', '16.20.2', '17.9.1', '18.20.8', '19.9.0', '20.18.3', '21.7.0', '22.11.0']) {
    assert.throws(() => checkNode(old), (e) => e.message.includes(`Node ${old}`) && e.message.includes('cove mcp ID') && !/\n/.test(e.message), old);
  }
  for (const good of ['20.19.0', '20.20.2']) assert.match(checkNode(good), /Some tools .* need Node 22\.12/);
  for (const good of ['22.12.0', '23.0.0', '24.21.0', '100.0.0']) assert.equal(checkNode(good), '');
});

test('where an installed package may be', (t) => {
  const cache = fs.mkdtempSync(path.join(os.tmpdir(), 'cove-npm'));
  t.after(() => fs.rmSync(cache, { recursive: true }));
  fs.mkdirSync(path.join(cache, '_npx', 'abc'), { recursive: true });
  assert.deepEqual(folders('linux', { NODE_PATH: '/a:/b c:', npm_config_cache: cache }, '/home/me', '/opt/node/bin/node', '/home/me/mcp'), [
    '/home/me/mcp/node_modules',
    '/a',
    '/b c',
    '/opt/node/lib/node_modules',
    path.join(cache, '_npx', 'abc', 'node_modules'),
  ]);
  const win = { APPDATA: 'C:\\Users\\me\\AppData\\Roaming', NODE_PATH: 'D:\\a;D:\\b c' };
  assert.deepEqual(folders('win32', win, 'C:\\Users\\me', 'C:\\Program Files\\nodejs\\node.exe', 'C:\\mcp'), [
    'C:\\mcp\\node_modules',
    'D:\\a',
    'D:\\b c',
    'C:\\Users\\me\\AppData\\Roaming\\npm\\node_modules',
    'C:\\Program Files\\nodejs\\node_modules',
  ]);
});

test('the npm cache of Windows', (t) => {
  const asked = [];
  t.mock.method(fs, 'readdirSync', (dir) => {
    asked.push(dir);
    return ['0123'];
  });
  assert.ok(folders('win32', {}, 'C:\\Users\\me', 'C:\\node\\node.exe', 'C:\\mcp').includes('C:\\Users\\me\\AppData\\Local\\npm-cache\\_npx\\0123\\node_modules'));
  assert.ok(folders('win32', { LOCALAPPDATA: 'D:\\L' }, 'C:\\Users\\me', 'C:\\node\\node.exe', 'C:\\mcp').includes('D:\\L\\npm-cache\\_npx\\0123\\node_modules'));
  assert.ok(folders('darwin', {}, '/Users/me', '/opt/homebrew/bin/node', '/Users/me/mcp').includes('/Users/me/.npm/_npx/0123/node_modules'));
  assert.deepEqual(asked, ['C:\\Users\\me\\AppData\\Local\\npm-cache\\_npx', 'D:\\L\\npm-cache\\_npx', '/Users/me/.npm/_npx']);
});

test('npx is looked for beside node, then in the PATH', () => {
  const has = (...files) => (file) => files.includes(file);
  assert.equal(findNpx('linux', { PATH: '/usr/bin' }, '/opt/node/bin/node', has('/usr/bin/npx', '/opt/node/bin/npx')), '/opt/node/bin/npx');
  assert.equal(findNpx('linux', { PATH: ':/sbin:/usr/bin' }, '/opt/node/bin/node', has('/usr/bin/npx')), '/usr/bin/npx');
  assert.equal(findNpx('linux', {}, '/opt/node/bin/node', has('/usr/bin/npx')), '');
  assert.equal(findNpx('win32', { Path: 'C:\\Windows;C:\\Program Files\\nodejs' }, 'D:\\node\\node.exe', has('C:\\Program Files\\nodejs\\npx.cmd')), 'C:\\Program Files\\nodejs\\npx.cmd');
  assert.equal(findNpx('win32', { PATH: 'C:\\x' }, 'C:\\Program Files\\nodejs\\node.exe', has('C:\\Program Files\\nodejs\\npx.cmd', 'C:\\Program Files\\nodejs\\npx')), 'C:\\Program Files\\nodejs\\npx.cmd');
  assert.equal(findNpx('win32', { PATH: 'C:\\x' }, 'C:\\node\\node.exe', has('C:\\node\\npx')), '');
});

const flags = ['--browserUrl', 'http://127.0.0.1:41235'];
const quiet = { CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS: '1', CHROME_DEVTOOLS_MCP_NO_CONFIG_DISCOVERY: '1', NO_UPDATE_NOTIFIER: '1' };

test('an installed package is run by this very node, without a shell', () => {
  for (const [platform, execPath, main] of [
    ['linux', '/usr/bin/node', '/a b/main.js'],
    ['darwin', '/usr/bin/node', '/a b/main.js'],
    ['win32', 'C:\\Program Files\\nodejs\\node.exe', 'C:\\a b\\main.js'],
  ]) {
    const c = serverCommand({ platform, env: { A: '1' }, execPath, main, npx: '' }, flags);
    assert.equal(c.file, execPath);
    assert.deepEqual(c.args, [main, ...flags]);
    assert.deepEqual(c.options.stdio, ['pipe', 'inherit', 'inherit']);
    assert.deepEqual(c.options.env, { A: '1', ...quiet });
    assert.equal(c.options.detached, platform === 'win32' ? undefined : true);
    assert.equal(c.options.shell, undefined);
    assert.equal(c.options.windowsHide, true);
  }
});

test('npx finds node by name', () => {
  const c = serverCommand({ platform: 'linux', env: { PATH: '/bin' }, execPath: '/opt/node/bin/node', main: '', npx: '/opt/node/bin/npx' }, flags);
  assert.equal(c.file, '/opt/node/bin/npx');
  assert.deepEqual(c.args, ['-y', 'chrome-devtools-mcp@1.11.0', ...flags]);
  assert.equal(c.options.env.PATH, '/opt/node/bin:/bin');
  assert.equal(serverCommand({ platform: 'linux', env: {}, execPath: '/opt/node/bin/node', main: '', npx: '/n' }, flags).options.env.PATH, '/opt/node/bin');
});

test('npx on Windows is one line for a shell, and a path with spaces is one word of it', () => {
  const c = serverCommand({ platform: 'win32', env: { Path: 'C:\\Windows' }, execPath: 'C:\\Program Files\\nodejs\\node.exe', main: '', npx: 'C:\\Program Files\\nodejs\\npx.cmd' }, flags);
  assert.equal(c.file, '"C:\\Program Files\\nodejs\\npx.cmd" -y chrome-devtools-mcp@1.11.0 --browserUrl http://127.0.0.1:41235');
  assert.deepEqual(c.args, []);
  assert.equal(c.options.shell, true);
  assert.equal(c.options.detached, undefined);
  assert.equal(c.options.env.Path, 'C:\\Program Files\\nodejs;C:\\Windows');
  assert.equal(c.options.env.PATH, undefined, 'a second PATH hides the first');
});

test('what the app refuses, in one line', () => {
  assert.match(refusal(500, { errorObject: { text: 'It broke:\n a\n b', hint: 'Mend it' } }, '1'), /^Profile 1 could not be opened: It broke: a b\. Mend it\.$/);
  assert.match(refusal(503, {}, '1'), /Cove answered 503\. Run `cove doctor`, then try again\.$/);
  assert.match(refusal(409, {}, '5'), /cove stop 5/);
});

// child is a server that lives until the test ends it.
function child() {
  return Object.assign(new EventEmitter(), { pid: 4711, stdin: new PassThrough(), killed: [], kill: function (s) { this.killed.push(s); } });
}

test('the tree of a process on Windows is ended by taskkill', () => {
  const calls = [];
  const c = child();
  const taskkill = new EventEmitter();
  endTree('win32', c, 'SIGTERM', (...args) => {
    calls.push(args);
    return taskkill;
  });
  assert.deepEqual(calls, [['taskkill', ['/pid', '4711', '/T', '/F'], { stdio: 'ignore', windowsHide: true }]]);
  assert.deepEqual(c.killed, []);
  taskkill.emit('error', new Error('no taskkill'));
  assert.equal(c.killed.length, 1);
});

test('the tree of a process elsewhere is its group', () => {
  const calls = [];
  for (const platform of ['linux', 'darwin']) endTree(platform, child(), 'SIGINT', assert.fail, (...args) => calls.push(args));
  assert.deepEqual(calls, [[-4711, 'SIGINT'], [-4711, 'SIGINT']]);
  endTree('linux', child(), 'SIGINT', assert.fail, () => {
    throw new Error('ESRCH');
  });
});

// serving runs serve() with everything around it replaced, on a clock of the test's own.
function serving(t, platform) {
  const apis = ['setTimeout'];
  t.mock.timers.enable(process.version.startsWith('v18.') ? apis : { apis });
  const c = child();
  const ends = [];
  const self = Object.assign(new EventEmitter(), { stdin: new PassThrough(), kill: (pid, signal) => ends.push([pid, signal]) });
  const run = (file, args) => {
    if (file === 'server') return c;
    ends.push([file, ...args]);
    return new EventEmitter();
  };
  const code = serve(platform, { file: 'server', args: [], options: {} }, run, self);
  return { c, ends, self, code, tick: (ms) => t.mock.timers.tick(ms) };
}

const kill = ['taskkill', '/pid', '4711', '/T', '/F'];
const turn = () => new Promise((done) => setImmediate(done));

for (const platform of ['linux', 'darwin', 'win32']) {
  const windows = platform === 'win32';

  test(`${platform}: the exit code is the server's`, async (t) => {
    for (const [exit, want] of [[[0, null], 0], [[7, null], 7], [[null, 'SIGKILL'], 137], [[null, 'SIGTERM'], 143], [[null, 'SIGNONE'], 128]]) {
      const s = serving(t, platform);
      s.c.emit('exit', ...exit);
      assert.equal(await s.code, want);
      assert.deepEqual(s.ends, windows ? [] : [[-4711, 'SIGKILL']], 'what is left of its group');
      t.mock.timers.reset();
    }
  });

  test(`${platform}: a server that cannot be started is an error`, async (t) => {
    const s = serving(t, platform);
    s.c.emit('error', new Error('ENOENT'));
    await assert.rejects(s.code, /ENOENT/);
  });

  test(`${platform}: input passes, and its end gives the server five seconds`, async (t) => {
    const s = serving(t, platform);
    let got = '';
    s.c.stdin.on('data', (d) => (got += d));
    let over = false;
    s.c.stdin.on('end', () => (over = true));
    s.self.stdin.write('{"a":1}\n');
    s.self.stdin.end('{"b":2}\n');
    for (let i = 0; i < 10 && !over; i++) await turn();
    assert.equal(got, '{"a":1}\n{"b":2}\n');
    assert.ok(over, 'the end passes');
    s.tick(4999);
    assert.deepEqual(s.ends, []);
    s.tick(1);
    assert.deepEqual(s.ends, [windows ? kill : [-4711, 'SIGTERM']]);
    s.tick(3000);
    assert.deepEqual(s.ends[1], windows ? kill : [-4711, 'SIGKILL']);
    s.c.emit('exit', null, 'SIGKILL');
    assert.equal(await s.code, 137);
  });

  test(`${platform}: nothing is ended after a server that left by itself`, async (t) => {
    const s = serving(t, platform);
    s.c.stdin.resume();
    s.self.stdin.end();
    for (let i = 0; i < 10; i++) await turn();
    s.c.emit('exit', 0, null);
    await s.code;
    const ends = s.ends.length;
    s.tick(60000);
    assert.equal(s.ends.length, ends);
  });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    test(`${platform}: ${signal} reaches the server and what it started`, async (t) => {
      const s = serving(t, platform);
      s.self.emit(signal);
      assert.deepEqual(s.ends, [windows ? kill : [-4711, signal]]);
      s.tick(5000);
      assert.deepEqual(s.ends[1], windows ? kill : [-4711, 'SIGKILL']);
      s.c.emit('exit', 0, null);
      assert.equal(await s.code, 0);
    });
  }

  test(`${platform}: a server that closes its input early does no harm`, async (t) => {
    const s = serving(t, platform);
    s.c.stdin.emit('error', Object.assign(new Error('EPIPE'), { code: 'EPIPE' }));
    s.c.emit('exit', 3, null);
    assert.equal(await s.code, 3);
  });
}

