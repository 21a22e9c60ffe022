// The explorer: words, listings and bytes as text and fields that can be edited. The engine (engine.js) and the image are loaded
// when they are first needed; everything that is shown is set as text, never as markup.
'use strict';

(() => {
  const { make, visible, prose } = isagen;
  const { isa, folder, root } = document.body.dataset;

  // The limits for the lines of a listing, and for the length of a fragment.
  const MOST_LINES = 5000;
  const MOST_FRAGMENT = 8000;

  const has = (word, bit) => (word >> BigInt(bit)) & 1n;
  const bitsText = ranges => ranges.map(r => (r.hi === r.lo ? `${r.lo}` : `${r.hi}..${r.lo}`)).join(',');

  class Explorer {
    constructor(place) {
      this.place = place;
      this.items = [];
      this.current = 0;
      const examples = place.dataset.examples.split('\n').filter(text => text);
      this.input = make('textarea', { id: 'explore', rows: 1, spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', placeholder: examples[0] ?? '' });
      this.listing = make('ol.listing', { role: 'listbox', tabindex: '0', 'aria-label': 'Listing', hidden: true });
      this.detail = make('div.detail');
      // The text that screen readers say when something changes.
      this.status = make('p.away', { role: 'status' });
      const buttons = examples.map(text => make('button', { type: 'button', onclick: () => this.enter(text) }, visible(text)));
      const about = document.body.dataset.text === '' ? 'A statement, or several lines' : 'A word, a text, a listing or bytes';
      place.replaceChildren(make('label', { for: 'explore' }, about), this.input, make('p.try', {}, 'Try ', ...buttons), this.listing, this.status, this.detail);
      this.input.addEventListener('focus', () => this.load());
      this.input.addEventListener('input', () => this.read());
      this.listing.addEventListener('click', event => this.select(Number(event.target.closest('li')?.dataset.at ?? this.current)));
      this.listing.addEventListener('keydown', event => {
        const to = { ArrowDown: this.current + 1, ArrowUp: this.current - 1, Home: 0, End: this.items.length - 1, PageDown: this.current + 10, PageUp: this.current - 10 }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        this.select(to);
      });
      addEventListener('hashchange', () => this.restore());
      addEventListener('resize', () => { if (this.columns && this.columns !== this.widest()) this.show(); });
      this.restore();
    }

    // The engine with its image and the texts of documents, loaded once.
    load() {
      return this.loaded ??= Promise.all([isagen.script('site/engine.js'), isagen.load(folder, 'image'), isagen.load(folder, 'about')]).then(([, image, about]) => {
        this.about = about;
        return Isat.open(Isat.bytes(image));
      }).then(engine => { this.engine = engine; }).catch(error => { this.detail.replaceChildren(make('p.refused', { role: 'alert' }, `The tables can't be used: ${error.message}`)); throw error; });
    }

    async enter(text) {
      this.input.value = text;
      await this.read();
    }

    async read() {
      await this.load();
      this.items = this.itemsOf(this.input.value);
      this.current = 0;
      this.input.rows = Math.min(5, Math.max(1, this.input.value.split('\n').length));
      this.show();
    }

    // -- what was entered

    itemsOf(input) {
      try {
        return this.engine.items(input.split('\n').slice(0, MOST_LINES).join('\n'));
      } catch (error) {
        if (!(error instanceof WebAssembly.RuntimeError)) throw error;
        // The instance has stopped for want of memory: the next input has another one.
        this.loaded = undefined;
        this.detail.replaceChildren(make('p.refused', { role: 'alert' }, 'This takes too much memory.'));
        throw error;
      }
    }

    itemOfText(text, address) {
      const [item] = this.itemsOf(this.engine.isText ? text : `0x${address.toString(16)}: ${text}`);
      return { names: undefined, error: null, ...(item ?? { error: 'there is no text' }), text };
    }

    // -- the address of the page contains what is shown

    restore() {
      const hash = location.hash.slice(1);
      if (!/^[wt]=/.test(hash) || hash === this.hash) return;
      const state = new URLSearchParams(hash);
      const address = state.get('a') ? `0x${state.get('a').replace(/^0x/i, '')}: ` : '';
      const lines = (state.get('w') ?? '').split(',').join('\n') || state.get('t');
      this.hash = hash;
      this.enter(address + lines).then(() => {
        (this.place.closest('section') ?? this.place).scrollIntoView();
        this.select(Number(state.get('i') ?? 0));
      });
    }

    remember() {
      const state = new URLSearchParams();
      if (this.engine.isText) state.set('t', this.items.map(item => item.text).join('\n'));
      else state.set('w', this.items.filter(item => item.bits).map(item => this.digits(item)).join(','));
      if (this.items[0]?.address) state.set('a', this.items[0].address.toString(16));
      if (this.current) state.set('i', this.current);
      const hash = state.toString().replaceAll('%2C', ',');
      if (hash.length > MOST_FRAGMENT || hash === 'w=' || hash === this.hash) return;
      this.hash = hash;
      try { history.replaceState(null, '', `#${hash}`); } catch { /* too many changes at once */ }
    }

    digits({ word, bits }) {
      return word.toString(16).padStart(Math.ceil(bits / 4), '0');
    }

    // -- what is shown

    select(at) {
      this.current = Math.max(0, Math.min(at, this.items.length - 1));
      this.show();
    }

    // The form and the text of an item, or the reason why it has none.
    textOf(item) {
      if (item.error) return { text: item.error, bad: true };
      const { engine } = this;
      if (engine.isText) return { form: item.form, text: engine.print(item.form, item.word, item.address, item.names) };
      const { form, text, refused } = engine.word(item.word, item.bits, item.address);
      return form ? { form, text } : { text: refused, bad: true };
    }

    show() {
      const focused = document.activeElement?.dataset?.key;
      this.showListing();
      const item = this.items[this.current];
      this.detail.replaceChildren(...(item ? this.itemDetail(item) : []));
      if (focused) this.detail.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
      if (item) {
        this.status.textContent = visible(this.textOf(item).text);
        this.remember();
      }
    }

    // The lines, created again only if they have changed.
    showListing() {
      const several = this.items.length > 1;
      this.listing.hidden = !several;
      if (this.listed !== this.items) {
        this.listing.replaceChildren(...(several ? this.items.map((item, at) => this.line(item, at)) : []));
        this.listed = this.items;
        this.listing.style.setProperty('--digits', Math.max(0, ...this.items.map(item => (this.engine.isText ? 0 : Math.ceil((item.bits ?? 0) / 4)))));
      } else if (several) {
        this.listing.querySelector('[aria-selected="true"]')?.setAttribute('aria-selected', 'false');
        this.listing.children[this.current].replaceWith(this.line(this.items[this.current], this.current));
      }
      if (!several) return;
      this.listing.setAttribute('aria-activedescendant', `line-${this.current}`);
      this.listing.children[this.current].scrollIntoView({ block: 'nearest' });
    }

    line(item, at) {
      const { text, bad } = this.textOf(item);
      return make('li', { role: 'option', id: `line-${at}`, 'data-at': at, 'aria-selected': String(at === this.current) },
        make('span.soft', {}, item.address.toString(16)), make('span', {}, item.bits && !this.engine.isText ? this.digits(item) : ''), make(bad ? 'span.bad' : 'span', {}, visible(bad ? text.replaceAll('`', '') : text)));
    }

    itemDetail(item) {
      if (item.error) return [...(this.engine.isText ? [this.says(item, null)] : []), make('p.refused', { role: 'alert' }, ...prose(visible(item.error)))];
      const { form, text } = this.textOf(item);
      if (!form) {
        const closest = this.closest(item, null);
        return [this.says(item, null), make('p.refused', { role: 'alert' }, ...prose(visible(text))),
          ...(closest.length ? [this.diagram(closest[0].form, item, closest[0].wrong), this.others('The closest forms', closest)] : [])];
      }
      const insn = this.about.insns[form.insn];
      const [name, page, summary, source] = insn;
      const parts = [this.says(item, text), make('p.name-line', {}, make('strong', {}, make('a', { href: `${root}${encodeURIComponent(folder)}/${page}.html` }, visible(form.name))),
        make('span', {}, ...prose(visible(summary || (name === form.name ? '' : name)))), make('span.src', {}, visible(source)))];
      if (!this.engine.isText) {
        parts.push(this.diagram(form, item, 0n));
        const full = this.engine.full(form, item.word, item.address);
        if (full !== text) parts.push(make('p', {}, make('span.soft', {}, 'in full '), make('code', {}, visible(full))));
      }
      parts.push(this.values(form, item), ...this.errata(insn));
      const closest = this.engine.isText ? [] : this.closest(item, form);
      if (closest.length) parts.push(this.others('Why it is not another form', closest));
      return parts;
    }

    // The forms that are closest to a word, except its own.
    closest(item, own) {
      if (!this.engine.lengths.includes(item.bits) || item.word >> BigInt(item.bits)) return [];
      return this.engine.closest(item.word, item.bits, 4).filter(near => near.form !== own).slice(0, 3);
    }

    others(summary, closest) {
      const list = closest.map(near => make('li', {}, ...prose(visible(near.why))));
      return make('details', {}, make('summary', {}, summary), make('ul.closest', {}, ...list));
    }

    // Text, word and address, each of which can be edited.
    says(item, shown) {
      const box = (label, key, value, change) => {
        const note = make('p.wrong-text', { role: 'alert' });
        const input = make('input.mono', { value, 'data-key': key, spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off',
          onchange: () => {
            const wrong = change(input.value.trim());
            note.textContent = wrong ? visible(wrong) : '';
            input.setAttribute('aria-invalid', String(Boolean(wrong)));
          } });
        return make('div', {}, make('label', {}, label, input), note);
      };
      const text = box('Text', 'text', shown ?? item.text ?? '', value => {
        const read = this.itemOfText(value, item.address);
        if (read.error) return read.error;
        this.change(item, read);
        return null;
      });
      if (this.engine.isText) return make('div.says', {}, text);
      const word = box('Word', 'word', this.digits(item), value => {
        const digits = /^(?:0x)?([0-9a-fA-F_]+)$/.exec(value)?.[1].replaceAll('_', '');
        if (!digits) return 'A word is written in hexadecimal digits.';
        const bits = this.engine.size(digits);
        if (bits === null) return 'A word has at most 256 bits.';
        this.change(item, { word: BigInt(`0x${digits}`), bits });
        return null;
      });
      const address = box('Address', 'address', `0x${item.address.toString(16)}`, value => {
        if (!/^(0x)?[0-9a-fA-F]+$/.test(value)) return 'An address is written in hexadecimal digits.';
        this.change(item, { address: BigInt(value.startsWith('0x') ? value : `0x${value}`) });
        return null;
      });
      return make('div.says', {}, text, word, address);
    }

    // Sets another word, text or address of an item, and updates everything.
    change(item, changes) {
      Object.assign(item, changes);
      this.input.value = this.items.map(other => (this.engine.isText ? other.text : other.bits ? this.digits(other) : other.text)).join('\n');
      this.show();
    }

    // Sets another word. In a text-only instruction set, a text must assemble to it.
    changeWord(item, word) {
      if (!this.engine.isText) return this.change(item, { word });
      const read = this.itemOfText(this.engine.print(item.form, word, item.address, item.names), item.address);
      return this.change(item, read);
    }

    // -- the diagram of the bits

    widest() {
      const width = this.place.clientWidth;
      return width > 660 ? 32 : width > 200 ? 16 : 8;
    }

    // The colour of each field: by its place, from the left.
    colours(form) {
      const fields = [...form.fields].sort((a, b) => Math.max(...b.ranges.map(r => r.hi)) - Math.max(...a.ranges.map(r => r.hi)));
      return new Map(fields.map((field, at) => [field.number, `f${at % 6}`]));
    }

    owners(form) {
      const owners = Array.from({ length: form.length }, () => ({ kind: 'fixed', key: 'fixed' }));
      const fill = (ranges, owner) => ranges.forEach(({ hi, lo }) => { for (let bit = lo; bit <= hi; bit++) owners[bit] = owner; });
      form.fixed.forEach((fixed, at) => fill(fixed.ranges, { kind: 'fixed', key: `fixed ${at}`, name: fixed.name }));
      const colours = this.colours(form);
      form.fields.forEach(field => fill(field.ranges, { kind: colours.get(field.number), key: `field ${field.number}`, field, name: field.path }));
      for (const [hi, lo, kind] of this.about.forms[form.number][1]) fill([{ hi, lo }], { kind, key: kind });
      return owners;
    }

    diagram(form, item, wrong) {
      const columns = this.columns = this.widest();
      const owners = this.owners(form);
      const rows = [];
      for (let top = item.bits; top > 0;) {
        const low = Math.floor((top - 1) / columns) * columns;
        const runs = [];
        if (top - low < columns && item.bits > columns) runs.push(make(`div.w${columns - (top - low)}`));
        for (let hi = top - 1; hi >= low;) {
          let lo = hi;
          while (lo > low && owners[lo - 1].key === owners[hi].key) lo--;
          runs.push(this.run(owners[hi], hi, lo, item, wrong));
          hi = lo - 1;
        }
        rows.push(make('div.row', {}, ...runs));
        top = low;
      }
      const diagram = make('div.diagram', { role: 'group', 'aria-label': `The bits of the word as ${form.name}; arrows move, space flips a bit` }, ...rows);
      diagram.style.setProperty('--columns', Math.min(columns, Math.max(8, item.bits)));
      diagram.addEventListener('keydown', event => this.move(event, diagram, columns));
      const first = diagram.querySelector(`[data-bit="${this.bit ?? item.bits - 1}"]`) ?? diagram.querySelector('[data-bit]');
      first.tabIndex = 0;
      return diagram;
    }

    run(owner, hi, lo, item, wrong) {
      const { field } = owner;
      const digits = [];
      for (let bit = hi; bit >= lo; bit--) {
        const value = has(item.word, bit);
        const isWrong = has(wrong, bit) === 1n;
        digits.push(make(isWrong ? 'button.wrong' : 'button', { type: 'button', tabindex: '-1', 'data-bit': bit, 'data-key': `bit ${bit}`, 'aria-pressed': String(value === 1n),
          'aria-label': `bit ${bit}, ${owner.name || owner.kind}, ${value}${isWrong ? ', wrong' : ''}`,
          onclick: () => { this.bit = bit; this.changeWord(item, item.word ^ 1n << BigInt(bit)); } }, String(value)));
      }
      const split = field && field.ranges.length > 1 ? `[${this.ownBits(field, hi, lo)}]` : '';
      const label = (owner.name ? visible(owner.name) : owner.kind === 'fixed' ? '' : owner.kind) + split;
      const bits = bitsText([{ hi, lo }]);
      return make(`div.run.w${hi - lo + 1}.${owner.kind}`, { title: `${label || owner.kind}, ${bits}`, 'data-field': field ? field.path : null },
        make('div.ends', {}, make('span.bit', {}, String(hi)), hi > lo ? make('span.bit', {}, String(lo)) : null), make('div.digits', {}, ...digits), make('span.label', {}, label));
    }

    // The bits of a split field's number that are in a run, as in manuals: `12|10:5`.
    ownBits(field, hi, lo) {
      const places = field.ranges.flatMap(r => Array.from({ length: r.hi - r.lo + 1 }, (_, i) => r.hi - i)).reverse();
      const { lowest } = field;
      const parts = [];
      for (let bit = hi; bit >= lo; bit--) {
        const own = places.indexOf(bit) + lowest;
        const last = parts.at(-1);
        if (last && last.lo === own + 1) last.lo = own;
        else parts.push({ hi: own, lo: own });
      }
      return parts.map(p => (p.hi === p.lo ? p.hi : `${p.hi}:${p.lo}`)).join('|');
    }

    move(event, diagram, columns) {
      const at = Number(event.target.dataset?.bit);
      const by = { ArrowLeft: 1, ArrowRight: -1, ArrowUp: columns, ArrowDown: -columns }[event.key];
      if (by === undefined || Number.isNaN(at)) return;
      const next = diagram.querySelector(`[data-bit="${at + by}"]`);
      if (!next) return;
      event.preventDefault();
      diagram.querySelectorAll('[data-bit][tabindex="0"]').forEach(bit => { bit.tabIndex = -1; });
      next.tabIndex = 0;
      next.focus();
    }

    // -- the table of the values

    values(form, item) {
      const { engine } = this;
      const values = engine.values(form, item.word, item.address);
      const colours = this.colours(form);
      const facts = this.about.forms[form.number][0];
      const fields = form.fields.map((field, at) => ({ field, fact: this.about.facts[facts[at]] }));
      if (!engine.isText) fields.sort((a, b) => b.field.ranges[0].hi - a.field.ranges[0].hi);
      const rows = fields.map(({ field, fact: [meaning, link, about, source, wrong] }) => {
        const bits = bitsText(field.ranges);
        const says = link ? make('a', { href: `${root}${encodeURIComponent(folder)}/reference.html#${link}` }, visible(meaning)) : make('span', {}, visible(meaning));
        const swatch = make(`span.swatch.${colours.get(field.number)}`, { 'aria-hidden': 'true' });
        return make('tr', { 'data-field': field.path }, make('td', {}, swatch, make('code', {}, visible(field.path))),
          engine.isText ? null : make('td.bits', {}, bits), make('td.value', {}, this.control(form, field, item, values[field.number])),
          engine.isText ? null : make('td.raw', {}, `0x${values[field.number].raw.toString(16)}`),
          make('td', {}, says, about ? make('span.soft', {}, ' ', ...prose(visible(about))) : null, source ? make('span.src', {}, ' ', visible(source)) : null, ...this.wrong(wrong)));
      });
      const heads = engine.isText ? ['Field', 'Value', 'Meaning'] : ['Field', 'Bits', 'Value', 'Raw', 'Meaning'];
      return make('div.scroll', {}, make('table.wide.values', {}, make('thead', {}, make('tr', {}, ...heads.map(head => make('th', {}, head)))), make('tbody', {}, ...rows)));
    }

    // The control that shows a field's value and changes it.
    control(form, field, item, { raw, text }) {
      const { engine } = this;
      const set = bits => this.changeWord(item, engine.with(form, field, item.word, bits));
      const attributes = { 'data-key': `field ${field.path}`, 'aria-label': field.path };
      if (field.place !== null) {
        return make('input.mono', { ...attributes, value: item.names[Number(raw)] ?? text, onchange: event => this.rename(form, field, item, event.target) });
      }
      if (field.flag) {
        const [unset, isSet] = field.flag.map(digits => BigInt(`0x${digits}`));
        const box = make('input', { ...attributes, type: 'checkbox', checked: raw === isSet, onchange: () => set(box.checked ? isSet : unset) });
        return make('span', {}, box);
      }
      const choices = field.choices.map(([digits, text]) => ({ bits: BigInt(`0x${digits}`), text }));
      if (choices.length && choices.length <= 256) {
        if (!choices.some(choice => choice.bits === raw)) choices.push({ bits: raw, text });
        return make('select', { ...attributes, onchange: event => set(BigInt(event.target.value)) },
          ...choices.map(choice => make('option', { value: String(choice.bits), selected: choice.bits === raw }, visible(choice.text) || '(nothing)')));
      }
      const input = make('input.mono', { ...attributes, value: text, spellcheck: 'false', autocomplete: 'off',
        onchange: () => {
          const next = engine.bitsOf(form, field, input.value.trim(), item.address);
          input.setAttribute('aria-invalid', String(next === null));
          if (next !== null) set(next);
        } });
      return input;
    }

    // Sets another name of a register that the program names.
    rename(form, field, item, input) {
      const given = [...item.names];
      const places = form.fields.filter(f => f.place !== null);
      const values = this.engine.values(form, item.word);
      places.forEach(f => { given[f.place] = item.names[Number(values[f.number].raw)] ?? given[f.place]; });
      given[field.place] = input.value.trim();
      let { word } = item;
      for (const f of places) word = this.engine.with(form, f, word, BigInt(given.indexOf(given[f.place])));
      const read = this.itemOfText(this.engine.print(form, word, item.address, given), item.address);
      input.setAttribute('aria-invalid', String(Boolean(read.error)));
      if (!read.error) this.change(item, read);
    }

    errata([, page, , , own]) {
      if (!own.length) return [];
      return [make('h3', {}, make('a', { href: `${root}${encodeURIComponent(folder)}/${page}.html#errata` }, 'Errata')), ...this.wrong(own)];
    }

    // Errata by number, each as a fold: the statement of the document, the correction, and the evidence.
    wrong(numbers) {
      return numbers.map(number => {
        const [id, kind, at, says, is, evidence] = this.about.errata[number];
        const line = (term, text) => (text ? [make('dt', {}, term), make('dd', {}, ...text)] : []);
        const shown = evidence.flatMap(([of, text]) => line('Evidence', [make('code', {}, visible(of)), ' ', text === null ? 'is refused' : make('code', {}, visible(text))]));
        return make('details.wrong', {}, make('summary', {}, visible([id, kind].filter(text => text).join(', '))),
          make('dl', {}, ...line('At', at && [visible(at)]), ...line('Says', says && prose(visible(says))), ...line('Is', is && prose(visible(is))), ...shown));
      });
    }
  }

  document.querySelectorAll('.explorer').forEach(place => new Explorer(place));
})();
