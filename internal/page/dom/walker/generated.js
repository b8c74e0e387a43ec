// What style sheets do to names: the content of ::before and ::after, and the case of letters.

// ---- Generated content --------------------------------------------------------------------------------------------

// To ask for the two pseudo-elements of an element costs more than all else about its name, and to ask for the case of its letters costs
// as much again, so small style sheets are looked through once: where none speaks of either, nobody needs to ask.
const sheets = new WeakMap();
const MANY_RULES = 400;
const SAYS_ALL = { generates: true, transforms: true };

// saysOf returns whether a sheet has generated content, and whether it changes the case of letters.
function saysOf(sheet) {
  try {
    const rules = sheet.cssRules, was = sheets.get(sheet), size = sizeOf(rules);
    if (was && was.size === size) return was;
    const says = { size, ...(rules.length > MANY_RULES ? SAYS_ALL : { generates: false, transforms: false }) };
    for (let i = 0; i < rules.length && !(says.generates && says.transforms); i++) {
      const text = rules[i].cssText, more = text.includes('@import');
      says.generates ||= more || /:before|:after/.test(text);
      says.transforms ||= more || text.includes('text-transform');
    }
    sheets.set(sheet, says);
    return says;
  } catch {
    return SAYS_ALL; // another origin's, which may say anything
  }
}

// sizeOf counts rules, those of groups (@media, @layer) too: a script that adds one changes it.
function sizeOf(rules) {
  let size = rules.length;
  if (size <= MANY_RULES) for (const rule of rules) if (rule instanceof CSSGroupingRule) size += sizeOf(rule.cssRules);
  return size;
}

// allSheets is what the sheets of the page say together, and about the case of letters its style attributes.
function allSheets() {
  if (pass.sheets) return pass.sheets;
  pass.sheets = { generates: false, transforms: false };
  for (const root of [doc, ...observedRoots()]) addSheets(root);
  return pass.sheets;
}

function addSheets(root) {
  const all = pass.sheets;
  if (all.generates && all.transforms) return;
  for (const list of root === doc ? [documentSheets(root), documentAdopted(root)] : [shadowSheets(root), shadowAdopted(root)]) {
    for (const sheet of list) {
      const says = saysOf(sheet);
      all.generates ||= says.generates;
      all.transforms ||= says.transforms;
    }
  }
  all.transforms ||= queryAll(root, '[style*=text-transform i]').length > 0;
}

function generated(el, which) {
  if (!allSheets().generates && tagOf(el) !== 'q') return '';
  const style = getComputedStyle(el, which);
  const content = style.content;
  if (content === 'none' || content === 'normal' || content === '') return '';
  if (style.display === 'none' || style.visibility !== 'visible') return '';
  const text = transformed(contentText(content, el, which), style);
  return text === '' || (style.display === 'inline' && !content.includes(' / ')) ? text : ` ${text} `;
}

// contentText reads a computed content value: strings and quotes; the alternative after a slash instead of all of them.
function contentText(content, el, which) {
  if (content.includes('counter')) return countedText(content, el, which);
  return joined(content.match(contentTokens) || [], null);
}

const contentTokens = /"(?:[^"\\]|\\.)*"|\/|[\w-]+\([^)]*\)|[\w-]+/g;

function joined(tokens, counter) {
  const slash = tokens.indexOf('/');
  let text = '';
  for (const token of slash < 0 ? tokens : tokens.slice(slash + 1)) {
    if (token[0] === '"') text += unescaped(token.slice(1, -1));
    else if (token === 'open-quote') text += '“';
    else if (token === 'close-quote') text += '”';
    else if (counter !== null && token.startsWith('counter')) text += counter(token);
  }
  return text;
}

function unescaped(text) {
  return text.replace(/\\([0-9a-fA-F]{1,6}) ?|\\(.)/g, (_, hex, char) => (hex ? String.fromCodePoint(parseInt(hex, 16) || 0xfffd) : char));
}

// ---- Counters -----------------------------------------------------------------------------------------------------

// A name leaves them out, as Chromium's does, though people read "2.1 Intro": what the element says with them is told beside it. To count
// takes a walk over all elements before it, so this is done for a pass only when a counter is met.
const MOST_COUNTED = 10000;
let counted = new WeakSet(), anyCounted = false, counting = false;

function countedText(content, el, which) {
  const tokens = content.match(contentTokens) || [];
  for (let e = el, n = 0; e && n < 4; e = parentOf(e), n++) counted.add(e);
  anyCounted = true;
  if (!counting) return joined(tokens, null);
  const at = counters().get(el);
  return joined(tokens, (token) => (at && at[which] ? written(token, at[which]) : ''));

  function written(token, values) {
    const [name, ...rest] = token.slice(token.indexOf('(') + 1, -1).split(/,\s*(?=(?:[^"]*"[^"]*")*[^"]*$)/);
    const all = values.get(name.trim()) || [0];
    if (token.startsWith('counters(')) return all.map((v) => numeral(v, rest[1])).join(unescaped((rest[0] || '""').trim().slice(1, -1)));
    return numeral(all.at(-1), rest[0]);
  }
}

// countedName is what an element's name would be with its counters.
function countedName(el) {
  counting = true;
  const saved = pass.names;
  pass.names = new Map();
  const text = nameOf(el);
  pass.names = saved;
  counting = false;
  return text === nameOf(el) ? undefined : text;
}

// counters are the values at every generated content that shows any, by CSS Lists 3: a reset holds for what is in the element and for
// its later siblings.
function counters() {
  if (pass.counters) return pass.counters;
  const found = (pass.counters = new Map());
  let left = MOST_COUNTED;
  const all = new Map(); // name → [{ value, level }], the innermost last
  const apply = (style, level, item, list) => {
    for (const [name, n] of pairs(style.counterReset)) begin(name, n, level);
    if (list !== null && !/\blist-item\b/.test(style.counterReset)) begin('list-item', list, level);
    for (const [name, n] of pairs(style.counterIncrement)) add(name, n, level);
    if (item && !/\blist-item\b/.test(style.counterIncrement)) add('list-item', 1, level);
    for (const [name, n] of pairs(style.counterSet)) add(name, n, level, true);
  };
  const stack = (name) => all.get(name) || all.set(name, []).get(name);
  const begin = (name, value, level) => {
    const s = stack(name);
    if (s.length && s.at(-1).level === level) s.pop();
    s.push({ value, level });
  };
  const add = (name, n, level, set) => {
    const s = stack(name);
    if (!s.length) s.push({ value: 0, level });
    if (set) s.at(-1).value = n;
    else s.at(-1).value += n;
  };
  const drop = (level) => {
    for (const s of all.values()) while (s.length && s.at(-1).level > level) s.pop();
  };
  const shown = (el, which, style, level) => {
    const content = style.content;
    if (content === 'none' || content === 'normal' || content === '' || style.display === 'none') return;
    apply(style, level, false, null);
    if (!content.includes('counter')) return;
    const at = found.get(el) || found.set(el, {}).get(el);
    at[which] = new Map(Array.from(all, ([name, s]) => [name, s.map((c) => c.value)]));
  };
  const visit = (el, level) => {
    const style = styleOf(el);
    if (--left < 0 || style.display === 'none') return;
    const tag = tagOf(el);
    apply(style, level, style.display === 'list-item', tag === 'ol' || tag === 'ul' || tag === 'menu' ? (parseInt(attr(el, 'start'), 10) || 1) - 1 : null);
    if (tag === 'li' && has(el, 'value')) add('list-item', parseInt(attr(el, 'value'), 10) || 0, level, true);
    shown(el, '::before', getComputedStyle(el, '::before'), level + 1);
    for (const kid of kidsOf(el)) if (isElement(kid)) visit(kid, level + 1);
    shown(el, '::after', getComputedStyle(el, '::after'), level + 1);
    drop(level);
  };
  visit(documentElement(doc), 0);
  return found;
}

// pairs reads "a 1 b 2".
function pairs(text) {
  if (text === 'none') return [];
  const list = [], parts = text.split(' ');
  for (let i = 0; i + 1 < parts.length; i += 2) list.push([parts[i].replace(/^reversed\((.*)\)$/, '$1'), Number(parts[i + 1])]);
  return list;
}

const romans = [[1000, 'm'], [900, 'cm'], [500, 'd'], [400, 'cd'], [100, 'c'], [90, 'xc'], [50, 'l'], [40, 'xl'], [10, 'x'], [9, 'ix'], [5, 'v'], [4, 'iv'], [1, 'i']];

function numeral(n, style) {
  switch ((style || '').trim()) {
    case 'decimal-leading-zero':
      return (n < 0 ? '-' : '') + String(Math.abs(n)).padStart(2, '0');
    case 'lower-roman':
    case 'upper-roman': {
      if (n < 1 || n > 3999) return String(n);
      let text = '';
      for (const [value, sign] of romans) for (; n >= value; n -= value) text += sign;
      return style.includes('upper') ? text.toUpperCase() : text;
    }
    case 'lower-alpha':
    case 'lower-latin':
    case 'upper-alpha':
    case 'upper-latin': {
      if (n < 1) return String(n);
      let text = '';
      for (; n > 0; n = Math.floor((n - 1) / 26)) text = String.fromCharCode(97 + ((n - 1) % 26)) + text;
      return style.includes('upper') ? text.toUpperCase() : text;
    }
    case 'disc':
    case 'circle':
    case 'square':
    case 'none':
      return '';
  }
  return String(n);
}
