// The parts of every page: light or dark, the search, fields that light up together, and scripts that are loaded when they are used.
'use strict';

// Scripts with data call `isagen(NAME, WHAT, DATA)`; `isagen.load` waits for them. Pages from a disk may not read files, but run scripts.
const isagen = (() => {
  const body = document.body;
  const root = body.dataset.root;
  const waiting = new Map();
  const entry = key => {
    if (!waiting.has(key)) {
      const it = {};
      it.promise = new Promise((resolve, reject) => Object.assign(it, { resolve, reject }));
      waiting.set(key, it);
    }
    return waiting.get(key);
  };

  const receive = (isa, what, data) => entry(`${isa}\n${what}`).resolve(data);

  // A script of the site, once.
  receive.script = path => {
    const it = entry(path);
    if (!it.asked) {
      it.asked = true;
      const script = document.createElement('script');
      script.src = root + path;
      script.onload = () => it.resolve();
      script.onerror = () => it.reject(new Error(`${path} could not be loaded`));
      document.head.append(script);
    }
    return it.promise;
  };

  // The data of a script of an instruction set.
  receive.load = async (isa, what) => {
    await receive.script(`${isa.split('/').map(encodeURIComponent).join('/')}/${what}.js`);
    return entry(`${isa}\n${what}`).promise;
  };

  // An element: its name with classes (`div.a.b`), attributes, and content. Text is never markup.
  receive.make = (name, attributes = {}, ...children) => {
    const [tag, ...classes] = name.split('.');
    const element = document.createElement(tag);
    if (classes.length) element.className = classes.join(' ');
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
      else if (value !== null && value !== false) element.setAttribute(key, value === true ? '' : value);
    }
    element.append(...children.filter(child => child !== null && child !== ''));
    return element;
  };

  // Text in which characters that change the direction or are invisible are shown.
  receive.visible = text => text.replace(/[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    c => `\\u{${c.charCodeAt(0).toString(16)}}`);

  // Prose in which backquotes mark code.
  receive.prose = text => text.split('`').map((part, i, all) => (i % 2 === 1 && i < all.length - 1 ? receive.make('code', {}, part) : i % 2 === 1 ? '`' + part : part));

  return receive;
})();

(() => {
  const { body } = document;
  const byId = id => document.getElementById(id);

  // ---- light or dark

  const theme = byId('theme');
  const remembered = () => { try { return localStorage.getItem('isagen-theme'); } catch { return null; } };
  const apply = scheme => { document.documentElement.style.colorScheme = scheme ?? ''; };
  apply(remembered());
  theme.hidden = false;
  theme.addEventListener('click', () => {
    const now = document.documentElement.style.colorScheme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    const next = now === 'dark' ? 'light' : 'dark';
    apply(next);
    try { localStorage.setItem('isagen-theme', next); } catch { /* it is not stored */ }
  });

  // ---- search

  const input = byId('search');
  const list = byId('found');
  let index = null;
  let chosen = -1;
  input.parentElement.hidden = false;

  // The entries of this instruction set or, on the page of all of them, those of each.
  async function load() {
    const own = body.dataset.isa;
    const isas = own ? [own] : Array.from(document.querySelectorAll('tbody th a'), a => a.textContent);
    const found = await Promise.all(isas.map(isa => isagen.load(isa, 'search')));
    index = found.flatMap((entries, at) => entries.map(entry => ({ isa: own ? '' : isas[at], entry, lower: entry.map(text => text.toLowerCase()) })));
    show();
  }

  // The number of bits of a number that a form of an instruction fixes, where the number agrees with them; more for a whole word than for
  // the high or low end of one. An end of which less than half is fixed does not count.
  function fixed(forms, digits) {
    const width = 4 * digits.length;
    const number = BigInt(`0x${digits}`);
    const all = (1n << BigInt(width)) - 1n;
    let most = 0;
    for (const form of forms.split(' ')) {
      const [length, mask, value] = form.split(':').map((part, at) => (at ? BigInt(`0x${part}`) : Number(part)));
      const whole = width === 4 * Math.ceil(length / 4);
      if (width > length && !whole) continue;
      for (const lo of whole ? [0n] : [0n, BigInt(length - width)]) {
        const here = (mask >> lo) & all;
        if (((number ^ (value >> lo)) & here) !== 0n) continue;
        const count = here.toString(2).replaceAll('0', '').length;
        if (whole || 2 * count >= width) most = Math.max(most, count + (whole ? 256 : 0));
      }
    }
    return most;
  }

  // The rank of an entry, the best first; infinite if it does not fit. Digits are sought in names first, unless they begin with 0x.
  function rank(lower, query, words) {
    const [, name, line, , more, forms] = lower;
    const [, sure, digits] = /^(0x)?([0-9a-f]+)$/.exec(query.replaceAll('_', '')) ?? [];
    const bits = forms && digits && (sure || digits.length > 1) ? fixed(forms, digits) : 0;
    const byBits = bits ? (sure ? 0 : 5) + 1 / (1 + bits) : Infinity;
    return Math.min(byBits, byText(name, line, more, query, words));
  }

  // The rank by words, all of which an entry has.
  function byText(name, line, more, query, words) {
    if (!words.every(word => name.includes(word) || line.includes(word) || more.includes(word))) return Infinity;
    if (name === query) return 0;
    if (name.startsWith(query)) return 1;
    if (name.includes(query)) return 2;
    return line.includes(query) ? 3 : 4;
  }

  function show() {
    const query = input.value.trim().toLowerCase();
    chosen = -1;
    if (!query || !index) return close();
    const words = query.split(/\s+/);
    const kinds = ['instruction', 'field', 'value'];
    const order = kind => (kinds.indexOf(kind) + 4) % 4;
    const hits = index.map(it => ({ ...it, rank: rank(it.lower, query, words) })).filter(it => it.rank < Infinity);
    hits.sort((a, b) => a.rank - b.rank || order(a.entry[0]) - order(b.entry[0]) || a.entry[1].length - b.entry[1].length);
    list.replaceChildren(...hits.slice(0, 40).map(({ isa, entry: [kind, name, line, at] }, i) => isagen.make('li', { role: 'option', id: `found-${i}`, 'aria-selected': 'false' },
      isagen.make('a', { href: body.dataset.root + at.split('/').map((part, n) => (n ? part : encodeURIComponent(part))).join('/'), tabindex: '-1' },
        isagen.make('span.kind', {}, isa ? `${isa} ${kind}` : kind), isagen.make('span.name', {}, name), isagen.make('span.line', {}, ...isagen.prose(line))))));
    if (!hits.length) list.append(isagen.make('li', { role: 'option', 'aria-disabled': 'true' }, isagen.make('a', {}, '', 'Nothing found')));
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    if (hits.length) choose(0);
  }

  function close() {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  }

  function choose(next) {
    const options = list.querySelectorAll('[aria-selected]');
    if (!options.length) return;
    options[chosen]?.setAttribute('aria-selected', 'false');
    chosen = (next + options.length) % options.length;
    options[chosen].setAttribute('aria-selected', 'true');
    options[chosen].scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', options[chosen].id);
  }

  input.addEventListener('focus', () => (index ? show() : load()));
  input.addEventListener('input', show);
  input.addEventListener('blur', () => setTimeout(() => { if (!list.contains(document.activeElement)) close(); }, 150));
  input.addEventListener('keydown', event => {
    const act = { ArrowDown: () => choose(chosen + 1), ArrowUp: () => choose(chosen - 1), Escape: () => { input.blur(); close(); },
      Enter: () => list.querySelector('[aria-selected="true"] a')?.click() }[event.key];
    if (act && !(list.hidden && event.key !== 'Escape')) {
      event.preventDefault();
      act();
    }
  });
  document.addEventListener('keydown', event => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.('input, textarea, select')) return;
    event.preventDefault();
    input.focus();
    input.select();
  });

  // ---- fields light up together, in diagrams and in tables

  const light = (from, on) => {
    const field = from?.dataset.field;
    const around = from?.closest('.explorer') ?? document;
    if (field) around.querySelectorAll('[data-field]').forEach(element => element.classList.toggle('lit', on && element.dataset.field === field));
  };
  for (const [name, on] of [['mouseover', true], ['mouseout', false], ['focusin', true], ['focusout', false]]) {
    document.addEventListener(name, event => light(event.target.closest?.('[data-field]'), on));
  }

  // ---- encoding maps: a prefix enlarges its part, and so does a double click

  for (const map of document.querySelectorAll('.map')) {
    const svg = map.querySelector('svg');
    const whole = svg.getAttribute('viewBox').split(' ').map(Number);
    svg.style.aspectRatio = `${whole[2]} / ${whole[3]}`;
    const most = Math.log2(whole[2] * whole[3]);
    // The part of the picture that belongs to a prefix: each bit halves it, the first across.
    const part = prefix => Array.from(prefix).reduce(([x, y, w, h], bit, at) => (at % 2 === 0
      ? [x + (bit === '1' ? w / 2 : 0), y, w / 2, h] : [x, y + (bit === '1' ? h / 2 : 0), w, h / 2]), whole);
    const prefix = isagen.make('input.mono', { placeholder: 'all', spellcheck: 'false', autocomplete: 'off', maxlength: most,
      oninput: () => { prefix.value = prefix.value.replace(/[^01]/g, ''); svg.setAttribute('viewBox', part(prefix.value).join(' ')); } });
    const go = value => { prefix.value = value.slice(0, most); prefix.dispatchEvent(new Event('input')); };
    svg.addEventListener('dblclick', event => {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      let value = prefix.value;
      for (let i = 0; i < 2; i++) {
        const [x, y, w, h] = part(`${value}1`);
        value += (value.length % 2 === 0 ? at.x >= x : at.y >= y) && w && h ? '1' : '0';
      }
      go(value);
    });
    svg.before(isagen.make('p.zoom', {}, isagen.make('label', {}, `Enlarge where bits ${map.dataset.bits} begin with `, prefix),
      isagen.make('button', { type: 'button', onclick: () => go(prefix.value.slice(0, -2)) }, 'Back')));
  }

  // ---- the part of the page that is read

  const parts = new Map(Array.from(document.querySelectorAll('.parts a[href^="#"]'), a => [byId(a.getAttribute('href').slice(1)), a]));
  const seen = new IntersectionObserver(entries => {
    for (const { target, isIntersecting } of entries) parts.get(target)?.classList.toggle('here', isIntersecting);
  }, { rootMargin: '-15% 0px -75% 0px' });
  parts.forEach((_, part) => part && seen.observe(part));

  // ---- a link into a fold opens it

  const unfold = () => {
    if (!/^#[\w-]+$/.test(location.hash)) return;
    const target = byId(location.hash.slice(1));
    target?.querySelectorAll(':scope > details').forEach(details => { details.open = true; });
  };
  addEventListener('hashchange', unfold);
  unfold();

  // Folded parts are printed, too.
  addEventListener('beforeprint', () => document.querySelectorAll('main details').forEach(details => { details.open = true; }));

  if (document.querySelector('.explorer')) isagen.script('site/explorer.js');
})();
