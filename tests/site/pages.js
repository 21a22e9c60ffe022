// Drives the pages of a site in Chromium: runs in a page of its own, which loads each in a frame. `cases` comes from pages.rs.
'use strict';

const wrong = [];
const done = { pages: 0, links: 0, words: 0, texts: 0, edits: 0, others: 0, refused: 0, streams: 0, found: 0 };

const hold = (is, what) => { if (!is) wrong.push(what); };
const same = (what, got, expected) => hold(got === expected, `${what}: ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`);
const pause = () => new Promise(resolve => setTimeout(resolve, 0));

const frame = document.createElement('iframe');
frame.width = 1200;
frame.height = 900;
document.body.append(frame);

async function open(page) {
  await new Promise(resolve => {
    frame.onload = resolve;
    // The same page with another fragment is not a new page.
    frame.src = 'about:blank';
    frame.onload = () => { frame.onload = resolve; frame.src = page; };
  });
  frame.contentWindow.addEventListener('error', event => wrong.push(`${page}: ${event.message}`));
  return frame.contentDocument;
}

async function until(what, is) {
  for (let i = 0; i < 2000; i++) {
    if (is()) return true;
    await new Promise(resolve => setTimeout(resolve, 5));
  }
  wrong.push(`in vain: ${what}`);
  return false;
}

function change(input, value) {
  if (input.type === 'checkbox') input.checked = value;
  else input.value = value;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

// No text of a specification has become an element or has run.
function clean(doc, what) {
  hold(!doc.querySelector('main script, main img, main iframe, main object, header img, header iframe') && !frame.contentWindow.hacked, `${what} runs what it should not`);
}

// Links lead to existing pages and parts of pages, nothing runs that should not, and everything comes from the disk.
async function page(path, files, ids) {
  const doc = await open(path);
  done.pages += 1;
  hold(doc.querySelector('h1') && doc.querySelector('main') && doc.documentElement.lang, `${path} has no heading`);
  same(`${path}: ids`, new Set(ids.get(path)).size, ids.get(path).length);
  for (const a of doc.querySelectorAll('a[href]')) {
    const url = new URL(a.getAttribute('href'), new URL(path, location.href));
    const to = decodeURIComponent(url.href.split('#')[0].slice(new URL('.', location.href).href.length));
    const id = decodeURIComponent(url.hash.slice(1));
    done.links += 1;
    hold(files.has(to) && (!id || !ids.has(to) || ids.get(to).includes(id)), `${path}: a broken link: ${a.getAttribute('href')}`);
  }
  for (const entry of frame.contentWindow.performance.getEntriesByType('resource')) {
    hold(entry.name.startsWith('file:'), `${path} asks for ${entry.name}`);
  }
  clean(doc, path);
  hold(doc.documentElement.scrollWidth <= frame.clientWidth, `${path} is wider than the window`);
  frame.width = 390;
  hold(doc.documentElement.scrollWidth <= frame.clientWidth, `${path} is wider than a phone`);
  numbers(doc, `${path} on a phone`);
  for (const row of doc.querySelectorAll('.diagram .row')) {
    hold(row.lastElementChild.getBoundingClientRect().right > row.getBoundingClientRect().right - 2, `${path} on a phone: a layout has room beside it`);
  }
  frame.width = 1200;
  numbers(doc, path);
}

// The numbers of bits over a layout do not touch.
function numbers(doc, what) {
  const place = bit => { const range = doc.createRange(); range.selectNodeContents(bit); return range.getBoundingClientRect(); };
  for (const row of doc.querySelectorAll('.diagram .row')) {
    const bits = Array.from(row.querySelectorAll('.bit')).filter(bit => getComputedStyle(bit).visibility === 'visible');
    const places = bits.map(bit => [bit.textContent, place(bit)]).sort((a, b) => a[1].left - b[1].left);
    places.forEach(([bit, { left }], i) => i && hold(left > places[i - 1][1].right, `${what}: the numbers ${places[i - 1][0]} and ${bit} of bits touch`));
  }
}

async function paste(doc, lines) {
  const input = doc.querySelector('.explorer textarea');
  input.value = lines.join('\n');
  input.dispatchEvent(new Event('input', { bubbles: true }));
  await until(`a listing of ${lines.length}`, () => doc.querySelectorAll('.listing li').length === lines.length);
  return Array.from(doc.querySelectorAll('.listing li'), li => Array.from(li.children, span => span.textContent));
}

// Words and their texts, and back, as one listing.
async function listing({ isa, text: isText, words }) {
  const doc = await open(`${isa}.html`);
  const printed = await paste(doc, words.map(([address, word]) => (address ? `${address}: ${word}` : word)));
  words.forEach(([, word, text], i) => { same(`${isa} ${word}`, printed[i][2], text); done.words += 1; });
  const read = await paste(doc, words.map(([address, , , full]) => (address ? `0x${address}: ${full}` : full)));
  words.forEach(([, word, text, full], i) => { same(`${isa} ${full}`, isText ? read[i][2] : read[i][1], isText ? text : word); done.texts += 1; });
  // A listing is walked with the keyboard, and the fragment says where one is.
  const list = doc.querySelector('.listing');
  for (const [key, at] of [['End', words.length - 1], ['ArrowUp', words.length - 2], ['Home', 0], ['ArrowDown', 1]]) {
    list.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    same(`${isa}: ${key}`, list.querySelector('[aria-selected="true"]')?.dataset.at, String(at));
  }
  clean(doc, `${isa}, a listing`);
}

// A word in the address of the page; a field, a bit or the text of it changes, and the rest follows.
async function edit({ isa, word, address, field, value, raw, bit, text, after, prints }) {
  const doc = await open(`${isa}.html#w=${word}&a=${address}`);
  const says = key => doc.querySelector(`.says [data-key="${key}"]`)?.value;
  if (!await until(`${isa} ${word} is shown`, () => says('word') === word)) return;
  if (field) {
    const control = doc.querySelector(`[data-key="field ${CSS.escape(field)}"]`);
    change(control, control.type === 'checkbox' ? value === '1' : control.tagName === 'SELECT' ? raw : text);
  } else if (bit !== undefined) {
    doc.querySelector(`[data-bit="${bit}"]`).click();
  } else {
    change(doc.querySelector('.says [data-key="text"]'), text);
  }
  await pause();
  const what = `${isa} ${word}, ${field ?? (bit === undefined ? 'text' : `bit ${bit}`)}`;
  same(what, says('word'), after);
  if (prints === null) hold(doc.querySelector('.refused'), `${what}: it is not refused`);
  else {
    same(`${what}: text`, says('text'), prints);
    const others = Array.from(doc.querySelectorAll('.closest li'), li => li.textContent);
    done.others += others.length;
    hold(others.every(why => why.includes(': ')), `${what}: why it is not another form: ${others.join('; ')}`);
  }
  hold(new URLSearchParams(frame.contentWindow.location.hash.slice(1)).get('w') === after, `${what}: the fragment is ${frame.contentWindow.location.hash}`);
  clean(doc, what);
  done.edits += 1;
}

async function refused({ isa, word, why }) {
  const doc = await open(`${isa}.html#w=${word}`);
  await until(`${isa} ${word} is refused`, () => doc.querySelector('.refused'));
  same(`${isa} ${word}`, doc.querySelector('.refused')?.textContent, why.replaceAll('`', ''));
  done.refused += 1;
}

// A word as bytes in the order of the instruction set is that word.
async function stream({ isa, bytes, word }) {
  const doc = await open(`${isa}.html`);
  const input = doc.querySelector('.explorer textarea');
  input.value = bytes;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  await until(`${isa} ${bytes}`, () => doc.querySelector('.says [data-key="word"]'));
  same(`${isa} ${bytes}`, doc.querySelector('.says [data-key="word"]')?.value, word);
  done.streams += 1;
}

async function search({ page, query, name, at }) {
  const doc = await open(page);
  const input = doc.getElementById('search');
  doc.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }));
  same(`${page}: / goes to the search`, doc.activeElement, input);
  input.value = query;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  await until(`${page}: ${query}`, () => doc.querySelector('#found [aria-selected="true"]'));
  const first = doc.querySelector('#found [aria-selected="true"]');
  same(`${page}: ${query}`, first?.querySelector('.name').textContent, name);
  hold(first?.querySelector('a').href.endsWith(at), `${page}: ${query} leads to ${first?.querySelector('a').href}`);
  clean(doc, `${page}, the search`);
  done.found += 1;
}

(async () => {
  const files = new Set(cases.files);
  const ids = new Map(cases.ids);
  for (const path of cases.pages) await page(path, files, ids);
  for (const one of cases.listings) await listing(one);
  for (const one of cases.edits) await edit(one);
  // An instruction set of one form has no others.
  hold(done.edits < 10 || done.others > done.edits, `${done.edits} words have only ${done.others} other forms`);
  for (const one of cases.refused) await refused(one);
  for (const one of cases.streams) await stream(one);
  for (const one of cases.searches) await search(one);
})().catch(error => wrong.push(error.stack)).finally(() => {
  frame.remove();
  const result = document.createElement('pre');
  result.textContent = JSON.stringify({ done, wrong: wrong.slice(0, 30), count: wrong.length });
  result.id = 'result';
  document.body.append(result);
});
