// isagen in JavaScript: the functions of the WebAssembly module (isa-wasm), which is the value of `Isat.module` in base 64. Words,
// addresses and bits are BigInts. It does not depend on the page.
'use strict';

const Isat = (() => {
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  const hex = n => n.toString(16);
  const number = digits => BigInt(`0x${digits}`);
  const ranges = list => list.map(([hi, lo]) => ({ hi, lo }));
  let compiled;

  // The bytes of digits in base 64: a loop, as these are many.
  function bytes(digits) {
    const text = atob(digits);
    const found = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) found[at] = text.charCodeAt(at);
    return found;
  }

  // The module, compiled once: at once, where browsers allow that for as many bytes.
  async function compile() {
    const own = bytes(Isat.module);
    try {
      return new WebAssembly.Module(own);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return WebAssembly.compile(own);
    }
  }

  // The engine of an image.
  async function open(image) {
    compiled ??= compile();
    return new Engine((await WebAssembly.instantiate(await compiled)).exports, image);
  }

  // An instruction set in an instance of the module. An answer with the member `refused` has the reason.
  class Engine {
    constructor(exports, image) {
      Object.assign(this, { exports, forms: new Map() });
      const { error, ...about } = this.call('open', image);
      if (error) throw new Error(error);
      Object.assign(this, about);
    }

    call(name, bytes) {
      const { memory, room, answer } = this.exports;
      const place = room(bytes.length);
      new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
      const length = this.exports[name]();
      return JSON.parse(decoder.decode(new Uint8Array(memory.buffer, answer(), length)));
    }

    ask(request, ...lines) {
      return this.call('ask', encoder.encode([request, ...lines].join('\n')));
    }

    // A form with its fields.
    form(number) {
      if (!this.forms.has(number)) {
        const { fields, fixed, ...form } = this.ask(`form ${number}`);
        this.forms.set(number, {
          ...form, number, fixed: fixed.map(own => ({ ...own, ranges: ranges(own.ranges) })),
          fields: fields.map((own, place) => ({ ...own, number: place, ranges: ranges(own.ranges) })),
        });
      }
      return this.forms.get(number);
    }

    // The form and the text of a word.
    word(word, bits, address = 0n) {
      const { form, ...found } = this.ask(`word ${bits} ${hex(word)} ${hex(address)}`);
      return form === undefined ? found : { ...found, form: this.form(form) };
    }

    // The text of a word of a form; `names` are those that a program gives to registers.
    print(form, word, address = 0n, names = []) {
      return this.ask(`print ${form.number} ${hex(word)} ${hex(address)}`, ...names);
    }

    // The text with all that it leaves open.
    full(form, word, address = 0n) {
      return this.ask(`full ${form.number} ${hex(word)} ${hex(address)}`);
    }

    // The bits and the text of each field.
    values(form, word, address = 0n) {
      return this.ask(`values ${form.number} ${hex(word)} ${hex(address)}`).map(([raw, text]) => ({ raw: number(raw), text }));
    }

    // The word with other bits of a field.
    with(form, field, word, raw) {
      return number(this.ask(`with ${form.number} ${field.number} ${hex(word)} ${hex(raw)}`));
    }

    // The bits of a field with a text, or null.
    bitsOf(form, field, text, address = 0n) {
      const bits = this.ask(`value ${form.number} ${field.number} ${hex(address)}`, text);
      return bits === null ? null : number(bits);
    }

    // The forms that are closest to a word, the closest first.
    closest(word, bits, most) {
      return this.ask(`closest ${bits} ${hex(word)} ${most}`).map(near => ({ ...near, form: this.form(near.form), wrong: number(near.wrong) }));
    }

    // The length in bits of a word by its digits, or null.
    size(digits) {
      return this.ask(`size ${digits}`);
    }

    // The word of a text; `symbols` are the values of names.
    read(text, address = 0n, symbols = {}) {
      const values = Object.entries(symbols).map(([name, value]) => `${name} ${hex(value)}`);
      const read = this.ask(`read ${hex(address)} ${values.length}`, ...values, text);
      return read.refused === undefined ? { ...read, form: this.form(read.form), word: number(read.word) } : read;
    }

    // The instructions of lines of words, bytes and texts: each with an address, and a word or an error.
    items(input) {
      return this.ask('items', input).map(({ form, word, ...item }) => ({
        ...item, address: number(item.address), ...(word === undefined ? {} : { word: number(word) }), ...(form === undefined ? {} : { form: this.form(form) }),
      }));
    }
  }

  return { open, bytes };
})();

// In Node.js.
if (typeof module !== 'undefined') module.exports = Isat;
