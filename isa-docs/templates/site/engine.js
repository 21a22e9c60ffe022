// The engine of the explorer: an image (docs/tables.md) decodes words, prints them, reads texts, and says why a word is refused.
// It is written from that page alone; tests compare it with the reference codec. Words are BigInts. It does not depend on the page.
'use strict';

const Isat = (() => {
  // The records of an image, written from the records of the engine in Rust, by `BLESS=1 cargo test -p isa-runtime --test tables_page`.
  // `W` is a number as wide as the words of the tables; `NAMED` has the numbers of kinds and flags, by the column that has them.
  // layout: begin
  const VERSION = 6;
  const RECORDS = {
    Str: 'at u32, len u32',
    Rows: 'at u32, len u32',
    Term: 'at u8, mask u16',
    Test: 'index Term 2, table u32',
    Node: 'bit u8, lo u32, hi u32',
    Cube: 'mask W, value W',
    Head: 'name Str, summary Str, unit u16, flags u8, longest u32',
    Length: 'bits u16, index Term 3, base u32, truth Term 2, prefix u32, words u32, opcode W',
    Order: 'bits u16, order Rows',
    Row: 'mask W, value W, table u32, rest u32, form u16, next u16',
    Hole: 'name Str, summary Str, length u16, mask W, value W',
    Region: 'name Str, first W, last W, open u8',
    Insn: 'name Str, mnemonic Str, names u16, first u16, forms u16',
    Form: 'name Str, insn u16, length u16, flags u8, mask W, value W, default W, reserved W, kept W, fields Rows, operands Rows, fixed Rows, words u32, legal u32, one_way u32, exclusions Rows, rules Rows, accesses Rows, control Rows',
    Fixed: 'name Str, ranges Rows, value u128',
    Exclusion: 'when u32, field u16, why Str',
    Rule: 'holds u32, fields Rows, why Str',
    ControlItem: 'list Str, item Str, when u32',
    Access: 'field u16, when u32, reads u8, writes u8',
    Shorter: 'long u16, short u16, held Rows',
    Held: 'field u16, from u16, value u128',
    Texts: 'text Rows, base Rows, full Rows',
    Range: 'hi u8, lo u8',
    Field: 'path Str, ranges Rows, width u8, label u8, place u8, of u32, code u32, spelling u32',
    Code: 'steps Rows, map Rows, flags u8',
    Mapped: 'bits u16, number u64',
    CodeStep: 'kind u8, by i64',
    Part: 'lo u8, width u8, printed Rows, read Rows, other u8, radix u8, digits u8, precision u8, before Str, after Str, halved u8, halves Str 2, last u128, patterns Rows',
    Named: 'value u128, text Str, also u8',
    Class: 'of u128, flags u8',
    Registers: 'name Str, spelling u32, of Str, from u32',
    Enum: 'name Str, spelling u32',
    Op: 'kind u8, signed u8, at u8 2, mask u16 2, base u32, skip u16, spelling u32',
    Step: 'kind u8, spelling u32, of u32, next u32, body u32, initials u32',
    Template: 'form u16, which u16, step u32, word Str, needs u128, made_of u128, pairs u128, longest Str',
    Key: 'word Str, templates Rows',
    Refused: 'form u16, step u32, why Str',
    Mark: 'text Str, value Str, number u64, kind u8',
    Object: 'machine u16, architecture Str, registers Str',
    Machine: 'lanes u8, pc u8, divergence u8, has_params u8, params u32, bank u32, at u64',
    File: 'name Str, width u32, count u32, zero u32, one u32, flags u8, prefix Str, suffix Str, names Rows',
    RegisterName: 'text Str, number u32, also u8',
    Flags: 'name Str, count u32, flags Rows',
    State: 'name Str, width u16, kind u8',
    Space: 'name Str, address u8, banks u32, size u64, flags u8, owner u8',
    AddressRange: 'space u8, name Str, at u64, size u64, flags u8, device Str, line u8, every u64',
    Variant: 'name Str, values Rows',
    Linux: 'machine Str, number Str, result Str, stack Str, arguments Rows, features u64',
    Call: 'number u32, name Str',
    Debugger: 'architecture Str',
    Feature: 'name Str, files Rows',
  };
  const TABLES = [
    'bytes u8',
    'strings Str',
    'lists u16',
    'index u16',
    'truth u64',
    'nodes Node',
    'orders u8',
    'order_of Order',
    'insns Insn',
    'texts Texts',
    'fields Field',
    'ranges Range',
    'codes Code',
    'code_steps CodeStep',
    'mapped Mapped',
    'spellings Rows',
    'parts Part',
    'names Named',
    'patterns Rows',
    'classes Class',
    'registers Registers',
    'enums Enum',
    'fixed Fixed',
    'exclusions Exclusion',
    'rules Rule',
    'accesses Access',
    'control ControlItem',
    'shorter Shorter',
    'held Held',
    'ops Op',
    'entries u128',
    'tests Test',
    'steps Step',
    'initials u128',
    'templates Template',
    'keys Key',
    'refused Refused',
    'marks Mark',
    'objects Object',
    'machine Machine',
    'files File',
    'flags Flags',
    'states State',
    'spaces Space',
    'address_ranges AddressRange',
    'variants Variant',
    'machine_texts Str',
    'register_names RegisterName',
    'linux Linux',
    'calls Call',
    'debugger Debugger',
    'features Feature',
    'lengths Length',
    'rows Row',
    'forms Form',
    'holes Hole',
    'regions Region',
    'cubes Cube',
  ];
  const NAMED = {
    'Head.flags': { LOW_FIRST: 1, LITTLE_ENDIAN: 2, TEXT_ONLY: 4, SHORTEST: 8, OCTAL: 16, BLOCKS: 32, LOWER_CASE: 64, UPPER_CASE: 128 },
    'Mark.kind': { COMMENT: 0, SEPARATOR: 1, RADIX: 2, HERE: 3, AS_IN_C: 4, LOCAL: 5, WORD_BYTES: 6, ALIGN_BYTES: 7, ORG_ADDRESS: 8, FILL: 9, DIRECTIVE: 10, SECTION: 11, MODIFIER: 12, PAIR: 13, PSEUDO: 14, NAMED: 15, CASE: 16, STATEMENT: 17, RELOCATION: 18, DATA_RELOCATION: 19, FLAGS: 20, ADDRESS_BITS: 21, FAR: 22, REACHES: 23 },
    'File.flags': { HAS_ZERO: 1, HAS_ONE: 2, VIEW: 4 },
    'Space.flags': { READ_ONLY: 1, PROGRAM: 2, UNALIGNED: 4, BIG_ENDIAN: 8, COHERENT: 16 },
    'State.kind': { LAUNCH: 0, WRITTEN: 1, LINE: 2 },
    'Form.flags': { ALONE: 1, HAS_BASE: 2 },
    'Field.label': { NUMBER: 0, REGISTER: 1, ENUM: 2, FLAG: 3, SET: 4 },
    'Field.place': { NO_PLACE: 255 },
    'Code.flags': { OTHER_SIGN: 1, TAKES_GREATEST: 2, BELOW_ZERO: 4 },
    'Part.other': { NONE: 0, DIGITS: 1, NUMBERED: 2, GIVEN: 3 },
    'Part.radix': { FLOAT: 2 },
    'Class.flags': { MISSING: 1, REPEATS: 2 },
    'Exclusion.field': { NO_FIELD: 65535 },
    'Op.kind': { ENTRY: 0, FIELD: 1, PLAIN: 2, UNLESS_TEST: 3, UNLESS_SET: 4, UNLESS_DIFFERS: 5 },
    'Step.kind': { END: 0, LITERAL: 1, VALUE: 2, HOLDS: 3, DIFFERS: 4, FULL: 5, EITHER: 6, ONE_OF: 7, RETURN: 8 },
    'CodeStep.kind': { NOT: 0, SIGN: 1, TIMES: 2, PLUS: 3, RELATIVE: 4, MODULO: 5, PAGE: 6, FLIP: 7, XOR: 8 },
  };
  // layout: end
  const { 'Head.flags': HEAD, 'Form.flags': FORM, 'Field.label': LABEL, 'Code.flags': CODE, 'Part.other': OTHER, 'Part.radix': RADIX, 'Class.flags': CLASS, 'Mark.kind': MARK } = NAMED;
  const { 'Op.kind': OP, 'Step.kind': STEP, 'CodeStep.kind': CODE_STEP, 'Exclusion.field': { NO_FIELD }, 'Field.place': { NO_PLACE } } = NAMED;

  // The limits for the steps that are tried for a template, and for the words that are compared for the nearest one.
  const MOST_STEPS = 65536;

  // An error in a word or a text, for people.
  class Refusal extends Error {}

  // The result of `ask`, or null if it refuses.
  function answer(ask) {
    try {
      return ask();
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  }

  // ---- numbers and bits

  const ones = n => (1n << BigInt(n)) - 1n;
  const hex = n => '0x' + n.toString(16);
  const has = (word, bit) => (word >> BigInt(bit)) & 1n;
  const count = word => word.toString(2).replaceAll('0', '').length;
  const modulo = (n, m) => ((n % m) + m) % m;

  // The ranges of the bits of a mask, the highest first.
  function rangesOf(mask) {
    const found = [];
    const digits = mask.toString(2);
    for (let at = 0; at < digits.length; at++) {
      if (digits[at] === '0') continue;
      let end = at;
      while (digits[end + 1] === '1') end++;
      found.push({ hi: digits.length - 1 - at, lo: digits.length - 1 - end });
      at = end;
    }
    return found;
  }

  const bitsText = ranges => ranges.map(r => (r.hi === r.lo ? `${r.lo}` : `${r.hi}..${r.lo}`)).join(',');
  const maskOf = ranges => ranges.reduce((mask, r) => mask | ones(r.hi - r.lo + 1) << BigInt(r.lo), 0n);

  function gather(word, ranges) {
    let bits = 0n;
    for (const { hi, lo } of ranges) {
      const width = hi - lo + 1;
      bits = bits << BigInt(width) | (word >> BigInt(lo)) & ones(width);
    }
    return bits;
  }

  // The bits of the ranges; the rest is zero.
  function scatter(bits, ranges) {
    let word = 0n;
    for (let i = ranges.length - 1; i >= 0; i--) {
      const { hi, lo } = ranges[i];
      const width = hi - lo + 1;
      word |= (bits & ones(width)) << BigInt(lo);
      bits >>= BigInt(width);
    }
    return word;
  }

  const isWordCharacter = c => c !== undefined && /^[0-9A-Za-z_]$/.test(c);
  const isBlank = c => c === ' ' || c === '\t';

  // ---- images

  // Reads the rows of one type, and keeps those that were read.
  class Table {
    constructor(image, type, at, length) {
      Object.assign(this, { image, type, at, length, size: image.sizeOf(type), kept: new Map() });
    }

    get(i) {
      if (!(i >= 0 && i < this.length)) throw new Error('the image has no such row');
      let row = this.kept.get(i);
      if (row === undefined) this.kept.set(i, row = this.image.decode(this.type, this.at + i * this.size));
      return row;
    }

    slice(rows) {
      return Array.from({ length: rows.len }, (_, i) => this.get(rows.at + i));
    }

    all() {
      return this.slice({ at: 0, len: this.length });
    }
  }

  class Image {
    constructor(bytes) {
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      this.layouts = {};
      if (bytes.length < 20 || String.fromCharCode(...bytes.subarray(0, 4)) !== 'ISAT') throw new Error('this is not an image');
      if (this.view.getUint32(4, true) !== VERSION) throw new Error('the image is of another version');
      this.w = this.view.getUint32(8, true);
      if (![4, 8, 16, 32].includes(this.w)) throw new Error('the image has words of an unknown size');
      this.head = this.decode('Head', 20);
      let at = 20 + this.sizeOf('Head');
      for (const table of TABLES) {
        const [name, type] = table.split(' ');
        const length = this.view.getUint32(at, true);
        this[name] = new Table(this, type, at + 4, length);
        at += 4 + length * this[name].size;
        if (at > bytes.length) throw new Error('the image is cut');
      }
      if (at !== bytes.length) throw new Error('something follows the image');
      this.text = new TextDecoder('utf-8', { fatal: true });
      this.data = bytes.subarray(this.bytes.at, this.bytes.at + this.bytes.length);
    }

    // Columns of a record: name, type, and the length of an array.
    layout(type) {
      return this.layouts[type] ??= RECORDS[type].split(', ').map(column => column.split(' '));
    }

    sizeOf(type) {
      const numbers = { u8: 1, u16: 2, u32: 4, u64: 8, i64: 8, u128: 16, U256: 32, W: this.w };
      return numbers[type] ?? this.layout(type).reduce((sum, [, of, n]) => sum + this.sizeOf(of) * (n ?? 1), 0);
    }

    decode(type, at) {
      switch (type) {
        case 'u8': return this.view.getUint8(at);
        case 'u16': return this.view.getUint16(at, true);
        case 'u32': return this.view.getUint32(at, true);
        case 'i64': return this.view.getBigInt64(at, true);
        case 'u64': case 'u128': case 'U256': case 'W': {
          const size = this.sizeOf(type);
          if (size === 4) return BigInt(this.view.getUint32(at, true));
          let number = 0n;
          for (let limb = size - 8; limb >= 0; limb -= 8) number = number << 64n | this.view.getBigUint64(at + limb, true);
          return number;
        }
      }
      const record = {};
      for (const [name, of, n] of this.layout(type)) {
        const size = this.sizeOf(of);
        record[name] = n ? Array.from({ length: n }, (_, i) => this.decode(of, at + i * size)) : this.decode(of, at);
        at += size * (n ?? 1);
      }
      return record;
    }

    string(s) {
      return s.kept ??= this.text.decode(this.data.subarray(s.at, s.at + s.len));
    }
  }

  // ---- numbers of fields

  // The steps from bits to a number, as functions of a number, the step's own number, the width of the field and the address of the word.
  const FORTH = {
    [CODE_STEP.NOT]: (n, by, width) => ones(width) & ~n,
    [CODE_STEP.SIGN]: (n, by, width) => BigInt.asIntN(width, n),
    [CODE_STEP.TIMES]: (n, by) => n * by,
    [CODE_STEP.PLUS]: (n, by) => n + by,
    // `this.origin` applies this step: `RELATIVE` adds the origin.
    [CODE_STEP.PAGE]: n => n,
    [CODE_STEP.RELATIVE]: (n, by, width, origin) => BigInt.asIntN(64, n + origin),
    [CODE_STEP.MODULO]: (n, by) => BigInt.asUintN(Number(by), n),
    [CODE_STEP.FLIP]: (n, by) => n ^ (1n << by),
    [CODE_STEP.XOR]: (n, by) => n ^ (((n >> (by >> 8n)) & 1n) << (by & 255n)),
  };

  // The inverse of each step; the sign needs none.
  const BACK = {
    [CODE_STEP.NOT]: (n, by, width) => ones(width) & ~n,
    [CODE_STEP.SIGN]: n => n,
    [CODE_STEP.TIMES]: (n, by) => n / by,
    [CODE_STEP.PLUS]: (n, by) => n - by,
    [CODE_STEP.FLIP]: FORTH[CODE_STEP.FLIP],
    [CODE_STEP.XOR]: FORTH[CODE_STEP.XOR],
  };

  // The steps that map bits to bits, which come first, and those that map the value to the number that is shown.
  const OF_BITS = [CODE_STEP.NOT, CODE_STEP.FLIP, CODE_STEP.XOR];
  const SHOWN = [CODE_STEP.PAGE, CODE_STEP.RELATIVE, CODE_STEP.MODULO];

  // The steps from the bits of a field to its number.
  class Code {
    constructor(width, steps = [], readsOtherSign = false, map = null) {
      const by = kind => steps.find(step => step.kind === kind)?.by;
      const shown = steps.findIndex(step => SHOWN.includes(step.kind));
      const values = shown < 0 ? steps : steps.slice(0, shown);
      Object.assign(this, { width, steps, values, readsOtherSign, bitSteps: steps.filter(step => OF_BITS.includes(step.kind)) });
      // If the numbers are listed: the number of each pattern of bits that has one, and the patterns of each number, the assembled one first.
      this.map = map;
      this.isSigned = by(CODE_STEP.SIGN) !== undefined;
      this.relative = by(CODE_STEP.RELATIVE) ?? null;
      this.page = by(CODE_STEP.PAGE) ?? 0n;
      this.modulo = Number(by(CODE_STEP.MODULO) ?? 0);
      // The value is `scale` times the number of the bits, plus `bias`.
      this.scale = 1n;
      this.bias = 0n;
      for (const { kind, by } of values) {
        if (kind === CODE_STEP.TIMES) [this.scale, this.bias] = [this.scale * by, this.bias * by];
        if (kind === CODE_STEP.PLUS) this.bias += by;
      }
    }

    // The place from which a target is counted in a word at an address.
    origin(address) {
      const from = BigInt.asIntN(64, address + (this.relative ?? 0n));
      return (from >> this.page) << this.page;
    }

    run(steps, bits, origin) {
      if (this.map) return this.map.numbers.get(bits) ?? bits;
      let n = bits;
      for (const { kind, by } of steps) {
        n = FORTH[kind](n, by, this.width, origin);
        // A number of more than 128 bits is shown as its bits.
        if (n > ones(128) || -n > ones(128)) return bits;
      }
      return n;
    }

    value(bits) {
      return this.run(this.values, bits, 0n);
    }

    // The number that a text shows for some bits.
    shown(bits, address = 0n) {
      return this.run(this.steps, bits, this.origin(address));
    }

    numberBits(bits) {
      return this.run(this.bitSteps, bits, 0n);
    }

    wordBits(bits) {
      return this.bitSteps.reduceRight((bits, { kind, by }) => BACK[kind](bits, by, this.width), bits);
    }

    // All bits of numbers that have the text of a floating-point number.
    alike(number, format) {
      const text = floatText(number, format);
      return [...this.map.bits.get(number) ?? [], ...[...this.map.numbers].filter(([, other]) => other !== number && floatText(other, format) === text).map(([bits]) => bits)];
    }

    // All bits of a value; those that are assembled first.
    allBits(value) {
      if (this.map) return this.map.bits.get(value) ?? [];
      const bits = this.bits(value);
      return bits === null ? [] : [bits];
    }

    // The bits of a value, or null.
    bits(value) {
      if (this.map) return this.map.bits.get(value)?.[0] ?? null;
      const values = this.values.slice(this.bitSteps.length);
      const number = values.reduceRight((n, { kind, by }) => BACK[kind](n, by, this.width), value);
      const bits = this.wordBits(BigInt.asUintN(this.width, number));
      return this.value(bits) === value ? bits : null;
    }
  }

  // ---- the syntax of programs

  // Operators between values, with their precedence in GNU as and in C. If one is the beginning of another, the longer one comes first.
  const OPERATORS = [
    ['<<', 6, 8], ['>>', 6, 8], ['<=', 3, 7], ['>=', 3, 7], ['<>', 3, 6], ['==', 3, 6], ['!=', 3, 6], ['&&', 2, 2], ['||', 1, 1], ['*', 6, 10],
    ['/', 6, 10], ['%', 6, 10], ['|', 5, 3], ['&', 5, 5], ['^', 5, 4], ['!', 5, 0], ['+', 4, 9], ['-', 4, 9], ['<', 3, 7], ['>', 3, 7],
  ];
  const DEEPEST = 64;
  // The limit for the passes over a program.
  const MOST_ROUNDS = 8;
  const ESCAPES = { n: 10, t: 9, r: 13, b: 8, f: 12, '\\': 92, '"': 34, "'": 39 };

  // A value has 64 bits; one that is out of range, signed and unsigned, wraps to a signed one.
  const wrapped = n => (n < -(1n << 63n) || n > ones(64) ? BigInt.asIntN(64, n) : n);

  const binary = (sign, left, right, truth) => {
    const [x, y] = [BigInt.asIntN(64, left), BigInt.asIntN(64, right)];
    const holds = is => (is ? truth : 0n);
    const shifts = right >= 0n && right < 64n;
    switch (sign) {
      case '+': return left + right;
      case '-': return left - right;
      case '*': return BigInt.asIntN(64, x * y);
      case '/': case '%':
        if (y === 0n) throw new Refusal('this divides by zero');
        return BigInt.asIntN(64, sign === '/' ? x / y : x % y);
      case '<<': return shifts ? BigInt.asIntN(64, x << right) : 0n;
      case '>>': return shifts ? BigInt.asIntN(64, BigInt.asUintN(64, x) >> right) : 0n;
      case '|': return x | y;
      case '&': return x & y;
      case '^': return x ^ y;
      case '!': return x | ~y;
      case '==': return holds(x === y);
      case '!=': case '<>': return holds(x !== y);
      case '<': return holds(x < y);
      case '<=': return holds(x <= y);
      case '>': return holds(x > y);
      case '>=': return holds(x >= y);
      case '&&': return x && y ? 1n : 0n;
      default: return x || y ? 1n : 0n;
    }
  };

  const FUNCTIONS = {
    sext: (x, n) => BigInt.asIntN(Number(n < 1n ? 1n : n > 64n ? 64n : n), x),
    zext: (x, n) => BigInt.asUintN(Number(n < 1n ? 1n : n > 64n ? 64n : n), x),
    ctz: x => { for (let bit = 0n; bit < 64n; bit++) if (x >> bit & 1n) return bit; return 64n; },
  };

  // The syntax of lines, numbers and expressions: the one that an instruction set declares, or that of GNU as.
  class Syntax {
    constructor(t) {
      const marks = t.marks.all().map(mark => ({ ...mark, text: t.string(mark.text), value: t.string(mark.value) }));
      const texts = kind => marks.filter(mark => mark.kind === kind).map(mark => mark.text);
      const has = flag => (t.head.flags & HEAD[flag]) !== 0;
      Object.assign(this, { octal: has('OCTAL'), blocks: has('BLOCKS'), asInC: texts(MARK.AS_IN_C).length > 0, local: texts(MARK.LOCAL)[0] ?? '' });
      this.comments = texts(MARK.COMMENT);
      this.separators = texts(MARK.SEPARATOR);
      this.here = ['.', ...texts(MARK.HERE)];
      const numbers = marks.filter(mark => mark.kind === MARK.RADIX).map(mark => [mark.text, Number(mark.number)]);
      this.numbers = [...numbers, ['0x', 16], ['0X', 16], ['0b', 2], ['0B', 2], ['0o', 8]].sort((a, b) => b[0].length - a[0].length);
      this.modifiers = [];
      for (const { kind, text, value } of marks) {
        if (kind === MARK.MODIFIER) this.modifiers.push({ name: text, value, reaches: '', pair: '' });
        if (kind === MARK.REACHES) this.modifiers.at(-1).reaches = text;
        if (kind === MARK.PAIR) this.modifiers.at(-1).pair = text;
      }
      // The expressions of specifications are read in the same way.
      this.plain = Object.assign(Object.create(Syntax.prototype), {
        octal: false, asInC: true, here: ['.'], numbers: [['0x', 16], ['0b', 2]], modifiers: [], local: '',
      });
    }

    // The length of the string or character that begins there; 0 if there is none.
    quoted(text, at) {
      const rest = text.slice(at);
      if (rest[0] === '"') return /^"(?:[^"\\]|\\.)*"/.exec(rest)?.[0].length ?? 0;
      if (rest[0] !== "'" || /[\p{L}\p{N}_]$/u.test(text.slice(0, at))) return 0;
      return this.character(rest)?.[1] ?? 0;
    }

    // The code of the character with which a text begins, and how long that is; or null.
    character(text) {
      const found = /^'(?:\\([ntrbf\\"'])|\\([0-7]{1,3})|\\[xX]([0-9a-fA-F]+)|([^'\\]))'?/u.exec(text);
      if (!found) return null;
      const [whole, letter, octal, hexadecimal, plain] = found;
      const code = letter ? ESCAPES[letter] : octal ? parseInt(octal, 8) & 255 : hexadecimal ? parseInt(hexadecimal.slice(-2), 16) : plain.codePointAt(0);
      return [BigInt(code), whole.length];
    }

    // The statements of a line, without comments. `state.open` says whether the line begins inside a comment, and then whether it ends in one.
    statements(line, state = {}) {
      const found = [''];
      for (let at = 0; at < line.length;) {
        const end = state.open ? line.indexOf('*/', at) : at;
        if (end < 0) break;
        if (state.open) [at, state.open] = [end + 2, false];
        const here = marks => marks.filter(mark => line.startsWith(mark, at)).sort((a, b) => b.length - a.length)[0];
        const separator = here(this.separators);
        if (here(this.comments) !== undefined) break;
        if (this.blocks && line.startsWith('/*', at)) {
          [at, state.open] = [at + 2, true];
          found[found.length - 1] += '  ';
        } else if (separator !== undefined) {
          found.push('');
          at += separator.length;
        } else {
          const length = this.quoted(line, at) || 1;
          found[found.length - 1] += line.slice(at, at + length);
          at += length;
        }
      }
      return found.map(statement => statement.trim());
    }

    // The marks before the instruction of a statement, `{ label }`, or `{ number }` of a local label or an address; and the instruction.
    marks(statement) {
      const found = [];
      let rest = statement;
      for (let mark; (mark = /^([\p{L}\p{N}_.$]+)\s*:(?!:)\s*/u.exec(rest));) {
        found.push(/^\d/.test(mark[1]) ? { number: mark[1] } : { label: mark[1] });
        rest = rest.slice(mark[0].length);
      }
      return { marks: found, rest };
    }

    // The number with which a text begins, and its length; or null.
    number(text) {
      for (const [prefix, radix] of this.numbers) {
        if (!text.startsWith(prefix)) continue;
        const digits = /^[0-9a-zA-Z]*/.exec(text.slice(prefix.length))[0];
        const count = [...digits].findIndex(digit => !(parseInt(digit, 36) < radix));
        const own = count < 0 ? digits : digits.slice(0, count);
        if (own) return [[...own].reduce((n, digit) => n * BigInt(radix) + BigInt(parseInt(digit, 36)), 0n), prefix.length + own.length];
      }
      const digits = /^[0-9]+/.exec(text)?.[0];
      if (!digits) return null;
      if (!/^0+[1-9]/.test(digits)) return [BigInt(digits), digits.length];
      return this.octal && /^[0-7]+$/.test(digits) ? [BigInt(`0o${digits}`), digits.length] : null;
    }

    // The value of the expression with which a text begins, and its length; null if it begins with none, or with an unknown symbol.
    // `scope` has `symbol(name)`, which gives a number or null, and `here`.
    expression(text, scope) {
      let at = 0;
      let depth = 0;
      const blanks = () => { at += /^\s*/.exec(text.slice(at))[0].length; };
      const takes = sign => {
        blanks();
        const is = text.startsWith(sign, at);
        if (is) at += sign.length;
        return is;
      };
      // The origin of the last value that was read: 0 for a number, 1 for an address, 2 for an address with a modifier.
      let base = 0;
      // `null` if there is no expression; an unknown symbol ends the reading.
      const unary = () => {
        if (++depth > DEEPEST) return null;
        const value = inside();
        depth--;
        return value;
      };
      const inside = () => {
        blanks();
        const rest = text.slice(at);
        const modifier = this.modifiers.filter(own => rest.startsWith(own.name) && (!/[\p{L}\p{N}_]$/u.test(own.name) || /^\s*\(/.test(rest.slice(own.name.length))))
          .sort((a, b) => b.name.length - a.name.length)[0];
        if (modifier) {
          at += modifier.name.length;
          const of = unary();
          if (base) base = 2;
          return of === null ? null : this.modified(modifier, of, scope);
        }
        const number = this.number(rest) ?? this.character(rest);
        const isLocal = /^[0-9]+[bf](?![\p{L}\p{N}_.$])/u.exec(rest)?.[0];
        if (number && !isLocal) {
          at += number[1];
          base = 0;
          return /^[\p{L}\p{N}_.$]/u.test(text.slice(at)) ? null : number[0];
        }
        if (/^[-+~!]/.test(rest)) {
          at++;
          const of = unary();
          if (rest[0] !== '+') base = 0;
          if (of === null) return null;
          return wrapped({ '-': -of, '+': of, '~': ~BigInt.asIntN(64, of), '!': of === 0n ? 1n : 0n }[rest[0]]);
        }
        if (takes('(')) {
          const of = chain(1);
          return of !== null && takes(')') ? of : null;
        }
        const here = this.here.find(here => rest.startsWith(here) && !/^[\p{L}\p{N}_.$]/u.test(rest.slice(here.length)));
        if (here) {
          at += here.length;
          base = 1;
          return scope.here;
        }
        const name = isLocal ?? /^[\p{L}_.$][\p{L}\p{N}_.$]*/u.exec(rest)?.[0];
        if (!name) return null;
        at += name.length;
        if (name in FUNCTIONS && takes('(')) {
          const values = [];
          do values.push(chain(1)); while (takes(','));
          base = 0;
          return takes(')') && values.every(value => value !== null) && values.length === FUNCTIONS[name].length ? FUNCTIONS[name](...values) : null;
        }
        const value = scope.symbol(name);
        if (value === null) throw new Refusal(`there is no symbol \`${name}\``);
        base = scope.base?.(name) ?? 0;
        return value;
      };
      const chain = least => {
        let left = unary();
        while (left !== null) {
          const before = at;
          blanks();
          const rank = row => row[this.asInC ? 2 : 1];
          const row = OPERATORS.find(row => text.startsWith(row[0], at) && rank(row) > 0);
          if (!row || rank(row) < least) {
            at = before;
            break;
          }
          at += row[0].length;
          const own = base;
          const right = chain(rank(row) + 1);
          if (right === null) {
            [at, base] = [before, own];
            break;
          }
          // Two addresses give a number.
          base = row[0] === '+' && !(own && base) ? own || base : row[0] === '-' && !base ? own : 0;
          left = wrapped(binary(row[0], left, right, this.asInC ? 1n : -1n));
        }
        return left;
      };
      const value = chain(1);
      return value === null ? null : { value, length: at, base };
    }

    // The value of a modifier; null for one that refers to the operand of another statement.
    modified({ value, reaches, pair }, x, scope) {
      if (pair) return null;
      const of = text => this.plain.expression(text, { here: scope.here, symbol: name => (name === 'x' ? x : null) })?.value ?? null;
      return reaches && of(reaches) === 0n ? null : value ? of(value) : x;
    }

    // An operand that is not a plain number: a symbol, or an expression. In parentheses only if these are not part of a text.
    operand(rest, scope, parentheses) {
      const plain = /^[-+]?(?:0[xX][0-9a-fA-F]+|[0-9]+)(?![\p{L}\p{N}_])\s*/u.exec(rest);
      if (plain && !/^[-+*/%<>&|^=!]/.test(rest.slice(plain[0].length))) return null;
      const found = answer(() => this.expression(rest, scope));
      if (!found || (rest[0] === '(' && !parentheses && /^\((?:[^()]|\([^()]*\))*\)$/.test(rest.slice(0, found.length)))) return null;
      return found;
    }
  }

  // The labels and constants of a program that is read statement by statement, perhaps twice.
  class Labels {
    constructor(syntax) {
      Object.assign(this, { syntax, values: new Map(), bases: new Map(), local: new Map(), last: '', position: 0, numbers: new Set() });
    }

    // The result of reading the program, repeated until its labels do not move.
    settled(read) {
      const all = () => [...this.values, ...[...this.local].flatMap(([number, places]) => [number, ...places])].join();
      let found = read();
      for (let round = 0, before = ''; round < MOST_ROUNDS && before !== all(); round++) {
        before = all();
        found = read();
      }
      return found;
    }

    // Goes back to the first statement of a program. A decimal number before `:` is a local label only if something refers to it: else it is an
    // address, as in listings of objdump.
    begin(program) {
      Object.assign(this, { last: '', position: 0 });
      this.numbers = new Set([...program.matchAll(/(?<![\p{L}\p{N}_.$])([1-9][0-9]*|0)[bf](?![\p{L}\p{N}_.$])/gu)].map(found => found[1]));
    }

    // Another statement follows.
    statement() {
      this.position++;
    }

    fullName(name) {
      const { local } = this.syntax;
      return local && name.startsWith(local) ? this.last + name : name;
    }

    // Records a label; returns the number of an address, else null.
    mark({ label, number }, address) {
      if (label !== undefined) {
        const full = this.fullName(label);
        if (full === label) this.last = label;
        this.values.set(full, address);
        this.bases.set(full, 1);
      } else if (this.numbers.has(number)) {
        const known = this.local.get(number) ?? this.local.set(number, new Map()).get(number);
        known.set(this.position, address);
      } else {
        return /^(?:0[xX])?[0-9a-fA-F]+$/.test(number) ? BigInt(`0x${number.replace(/^0[xX]/, '')}`) : null;
      }
      return null;
    }

    // Returns true if a statement gives a symbol a value.
    assigned(text, address) {
      const found = /^([\p{L}_.$][\p{L}\p{N}_.$]*)\s*:?={1,2}\s*(.*)$/u.exec(text);
      const value = found && answer(() => this.syntax.expression(found[2], this.scope(address)));
      if (!value || value.length < found[2].length) return false;
      this.values.set(this.fullName(found[1]), value.value);
      this.bases.set(this.fullName(found[1]), value.base);
      return true;
    }

    scope(here) {
      const symbol = name => {
        const local = /^([0-9]+)([bf])$/.exec(name);
        if (!local) return this.values.get(this.fullName(name)) ?? null;
        const known = [...this.local.get(local[1]) ?? []].sort(([a], [b]) => a - b);
        // The marks of a statement come before it.
        const found = local[2] === 'f' ? known.find(([at]) => at >= this.position) : known.findLast(([at]) => at < this.position);
        return found?.[1] ?? null;
      };
      const base = name => (/^[0-9]+[bf]$/.test(name) ? 1 : this.bases.get(this.fullName(name)));
      return { here, symbol, base };
    }

    // The word of a text at an address.
    read(engine, text, address) {
      const scope = this.scope(address);
      let base = 0;
      const symbols = parentheses => rest => {
        const found = this.syntax.operand(rest, scope, parentheses);
        base = found?.base || base;
        return found;
      };
      const read = text => {
        try {
          return engine.read(text, { address, symbols: symbols(false) });
        } catch (error) {
          // If no text has the parenthesis, it begins an expression.
          const again = error instanceof Refusal && text.includes('(') && answer(() => engine.read(text, { address, symbols: symbols(true) }));
          if (again) return again;
          throw error;
        }
      };
      const found = read(text);
      if (base !== 2 || text.trimEnd().endsWith('}')) return found;
      // As in an object file whose linker does not make words shorter.
      for (const bits of engine.lengths.toReversed()) {
        const long = answer(() => read(`${text} {${bits} bits}`));
        if (long) return long;
      }
      return found;
    }
  }

  // ---- the engine

  class Engine {
    constructor(bytes) {
      const t = this.t = new Image(bytes);
      const flag = name => (t.head.flags & HEAD[name]) !== 0;
      this.name = t.string(t.head.name);
      this.summary = t.string(t.head.summary);
      this.unit = t.head.unit;
      this.lowFirst = flag('LOW_FIRST');
      this.littleEndian = flag('LITTLE_ENDIAN');
      this.textOnly = flag('TEXT_ONLY');
      this.lengths = t.lengths.all().map(length => length.bits);
      this.forms = t.forms.all().map((row, number) => this.form(row, number));
      this.syntax = new Syntax(t);
    }

    // A form with its fields, as shown on a page.
    form(row, number) {
      const t = this.t;
      const insn = t.insns.get(row.insn);
      const form = { ...row, number, name: t.string(row.name), insnName: t.string(insn.name), mnemonic: t.string(insn.mnemonic), names: insn.names };
      form.fields = t.lists.slice(row.fields).map(f => this.field(f));
      form.fixed = t.fixed.slice(row.fixed).map(f => {
        const ranges = t.ranges.slice(f.ranges);
        return { name: t.string(f.name), ranges, mask: maskOf(ranges), value: f.value };
      });
      return form;
    }

    field(number) {
      this.known ??= new Map();
      if (!this.known.has(number)) {
        const t = this.t;
        const row = t.fields.get(number);
        const ranges = t.ranges.slice(row.ranges);
        const code = t.codes.get(row.code);
        const steps = t.code_steps.slice(code.steps);
        this.known.set(number, {
          ...row, number, path: t.string(row.path), ranges, mask: maskOf(ranges),
          code: new Code(row.width, steps, (code.flags & CODE.OTHER_SIGN) !== 0, this.map(code)),
        });
      }
      return this.known.get(number);
    }

    // The numbers of bits that a code lists, or null.
    map(code) {
      if (!code.map.len) return null;
      const [numbers, bits] = [new Map(), new Map()];
      for (const row of this.t.mapped.slice(code.map)) {
        const raw = BigInt(row.bits);
        const number = code.flags & CODE.BELOW_ZERO ? BigInt.asIntN(64, row.number) : row.number;
        numbers.set(raw, number);
        if (!bits.has(number)) bits.set(number, []);
        if (code.flags & CODE.TAKES_GREATEST) bits.get(number).unshift(raw);
        else bits.get(number).push(raw);
      }
      return { numbers, bits };
    }

    // -- conditions

    index(terms, word) {
      return terms.reduce((sum, { at, mask }) => sum + this.term(word, at, mask), 0);
    }

    // Bits of a limb, rotated to their places in an index.
    term(word, at, mask) {
      const limb = BigInt.asUintN(64, word >> BigInt(at - at % 64));
      const by = BigInt(at % 64);
      return Number(BigInt.asUintN(64, limb >> by | limb << (64n - by)) & BigInt(mask));
    }

    isTrue(table, i) {
      const at = table + Math.floor(i / 64);
      return at < this.t.truth.length && has(this.t.truth.get(at), i % 64) === 1n;
    }

    isIn(root, word) {
      while (root > 1) {
        const node = this.t.nodes.get(root);
        root = has(word, node.bit) ? node.hi : node.lo;
      }
      return root === 1;
    }

    // -- decoding

    // The form of a word.
    decode(word, bits) {
      const t = this.t;
      const length = t.lengths.all().find(l => l.bits === bits);
      if (length && word <= ones(bits)) {
        let at = t.index.get(length.base + this.index(length.index, word));
        const truth = this.index(length.truth, word);
        for (;;) {
          const row = t.rows.get(at);
          const has = at > 0 && ((word ^ row.value) & row.mask) === 0n;
          if (has && this.isTrue(row.table, truth) && this.isIn(row.rest, word)) return this.forms[row.form];
          if (row.next >= at) break;
          at = row.next;
        }
      }
      throw new Refusal(this.refusal(word, bits));
    }

    // The bits of a field.
    raw(field, word) {
      return gather(word, field.ranges);
    }

    // The word with other bits of a field.
    withRaw(field, word, bits) {
      return word & ~field.mask | scatter(bits, field.ranges);
    }

    // The length of the word that begins with this unit.
    lengthOf(unit) {
      return this.t.lengths.all().find(length => this.isIn(length.prefix, unit))?.bits;
    }

    // The words of a stream of bytes: { word, bits, address } or, for what is left over, { error, address }.
    stream(bytes) {
      const size = this.unit / 8;
      const unitAt = at => {
        const own = Array.from(bytes.subarray(at, at + size));
        if (this.littleEndian) own.reverse();
        return own.reduce((number, byte) => number << 8n | BigInt(byte), 0n);
      };
      const found = [];
      for (let at = 0; at < bytes.length;) {
        if (at + size > bytes.length) return [...found, { error: 'bytes are missing', address: at }];
        const first = unitAt(at);
        const bits = this.lengthOf(first) ?? this.unit;
        const units = bits / this.unit;
        if (at + size * units > bytes.length) return [...found, { error: 'bytes are missing', address: at }];
        let word = 0n;
        for (let i = 0; i < units; i++) {
          const unit = unitAt(at + i * size);
          word = this.lowFirst ? word | unit << BigInt(i * this.unit) : word << BigInt(this.unit) | unit;
        }
        found.push({ word, bits, address: at });
        at += size * units;
      }
      return found;
    }

    // -- printing

    // The text of a word; `names` are those that a program gives to registers.
    print(form, word, address = 0n, names = null) {
      return this.operations(this.t.texts.get(form.number).text, word, address, names);
    }

    // The text of a word without aliases.
    printBase(form, word, address = 0n) {
      return this.operations(this.t.texts.get(form.number).base, word, address, null);
    }

    operations(rows, word, address, names) {
      const t = this.t;
      const end = rows.at + rows.len;
      let out = '';
      for (let at = rows.at; at < end; at++) {
        const op = t.ops.get(at);
        const part = i => this.term(word, op.at[i], op.mask[i]);
        switch (op.kind) {
          case OP.ENTRY: out += this.entry(op.base + part(0) + part(1)); break;
          case OP.FIELD: {
            const field = this.field(op.base);
            out += this.fieldText(field, this.raw(field, word), address, names, op.spelling);
            break;
          }
          case OP.PLAIN: {
            const width = op.at[1];
            let value = word >> BigInt(op.at[0]) & ones(width);
            if (op.signed === 1) value = BigInt.asIntN(width, value);
            out += digits(value * BigInt(op.mask[0]), [op.mask[1] & 255, op.mask[1] >> 8]);
            break;
          }
          case OP.UNLESS_TEST: {
            const test = t.tests.get(op.base);
            if (!this.isTrue(test.table, this.index(test.index, word))) at += op.skip;
            break;
          }
          case OP.UNLESS_SET: if (!this.isIn(op.base, word)) at += op.skip; break;
          case OP.UNLESS_DIFFERS: {
            const cube = t.cubes.get(op.base);
            if ((word & cube.mask) === cube.value) at += op.skip;
            break;
          }
          default: throw new Error('the image has an unknown operation');
        }
      }
      return out;
    }

    entry(i) {
      const entry = this.t.entries.get(i);
      const length = Number(entry >> 120n);
      const bytes = Uint8Array.from({ length }, (_, at) => Number(entry >> BigInt(8 * at) & 255n));
      return this.t.text.decode(bytes);
    }

    // The parts of a spelling.
    parts(spelling) {
      return this.t.parts.slice(this.t.spellings.get(spelling));
    }

    // The text of some bits of a field.
    fieldText(field, bits, address = 0n, names = null, spelling = field.spelling) {
      if (names && field.place !== NO_PLACE) return names[Number(bits)] ?? `?${bits}`;
      const number = field.code.shown(bits, address);
      return this.parts(spelling).map(part => this.partText(part, number, field.code.map ? part.digits : field.width)).join('');
    }

    // A part of the text of the number of a field of `width` bits.
    partText(part, number, width) {
      const t = this.t;
      const own = part.width ? BigInt.asUintN(part.width, number >> BigInt(part.lo)) : number;
      const named = t.names.slice(part.printed).find(n => n.value === own);
      if (named) return t.string(named.text);
      switch (part.other) {
        case OTHER.DIGITS:
          if (part.radix === RADIX.FLOAT) return floatText(BigInt.asUintN(width, number) << BigInt(part.digits - width), part.digits, part.precision);
          return digits(own, [part.radix, part.digits]);
        case OTHER.NUMBERED:
        case OTHER.GIVEN: {
          if (own < 0n || own > part.last) break;
          const half = part.halved ? t.string(part.halves[Number(own & 1n)]) : '';
          return t.string(part.before) + digits(part.halved ? own >> 1n : own, [part.radix, 1]) + half + t.string(part.after);
        }
      }
      return `?${own}`;
    }

    // The place of a field's lowest bit in its number: not 0 if the number is multiplied by a power of two.
    lowestBit(field) {
      const { scale, bias } = field.code;
      return scale > 0n && bias === 0n && (scale & (scale - 1n)) === 0n ? scale.toString(2).length - 1 : 0;
    }

    // The values of an enumeration to choose from: their bits and their names.
    choices(field) {
      if (field.label !== LABEL.ENUM) return [];
      const names = this.parts(field.spelling).flatMap(part => this.t.names.slice(part.printed));
      return names.map(n => ({ bits: field.code.bits(n.value), text: this.t.string(n.text) })).filter(({ bits }) => bits !== null);
    }

    // The bits of a field with a text, or null.
    bitsFrom(field, text, address = 0n) {
      const ways = new Reader(this, text, address, null).ways(field, field.spelling, 0, false);
      return ways.find(way => way.at === text.length)?.bits ?? null;
    }

    // -- the full text

    full(form, word, address = 0n) {
      const text = this.both(form, word, address);
      const tail = this.tail(form, word, text, address);
      return tail.length ? `${text} {${tail.join(', ')}}` : text;
    }

    // The text of a word and what the format adds to it.
    both(form, word, address) {
      const added = this.operations(this.t.texts.get(form.number).full, word, address, null);
      return this.print(form, word, address) + (added && ` ${added}`);
    }

    // The tail of a word: the fields and bits that its text leaves out.
    tail(form, word, text, address, only = null) {
      const read = answer(() => this.readText(text, address, { only }));
      if (read && !only && (read.form.length !== form.length || this.same(read.form, read.word, address))) return this.tail(form, word, text, address, form.length);
      const entries = only ? [`${only} bits`] : [];
      if (!read) return [...entries, `${form.length - 1}..0=${hex(word)}`];
      let wrong = read.word ^ word;
      if (read.form.number === form.number) {
        for (const field of form.fields.filter(f => wrong & f.mask)) {
          entries.push(`${field.path}=${hex(this.raw(field, word))}`);
          wrong &= ~field.mask;
        }
      }
      const kept = rangesOf(form.kept).filter(range => wrong & maskOf([range]));
      const rest = rangesOf(wrong & ~maskOf(kept));
      for (const range of [...kept, ...rest]) entries.push(`${bitsText([range])}=${hex(gather(word, [range]))}`);
      return entries;
    }

    // The word of a text: { form, word, names }.
    read(text, { address = 0n, symbols = null } = {}) {
      text = text.replace(/[ \t]+$/, '');
      const open = text.lastIndexOf('{');
      // Braces without an entry are the text's own.
      const tail = !this.textOnly && text.endsWith('}') && open >= 0 && /=|bits/.test(text.slice(open));
      if (!tail) return this.shortest(this.readText(text, address, { symbols }), address);
      const entries = text.slice(open + 1, -1).split(',').map(entry => entry.trim()).filter(entry => entry);
      const only = entries.length && /^(\d+) bits$/.exec(entries[0]);
      if (only) entries.shift();
      const read = this.readText(text.slice(0, open), address, { symbols, only: only ? Number(only[1]) : null, entries });
      let word = read.word;
      for (const entry of entries) {
        const [, name, number] = /^([^=]*?) *= *([^=]*)$/.exec(entry) ?? [];
        if (name === undefined) throw new Refusal(`\`${entry}\` in braces is no \`name=number\``);
        const bits = /^(\d+)(?:\.\.(\d+))?$/.exec(name);
        const ranges = bits ? [{ hi: Number(bits[1]), lo: Number(bits[2] ?? bits[1]) }] : read.form.fields.find(f => f.path === name)?.ranges;
        if (!ranges) throw new Refusal(`${read.form.name} has no field \`${name}\``);
        if (ranges.some(r => r.hi >= read.form.length || r.lo > r.hi)) throw new Refusal(`the word has no bits ${name}`);
        const digits = number.replaceAll('_', '');
        if (!/^(0x[0-9a-f]+|0b[01]+|\d+)$/i.test(digits)) throw new Refusal(`\`${number}\` is not a number`);
        const width = ranges.reduce((sum, r) => sum + r.hi - r.lo + 1, 0);
        if (BigInt(digits) > ones(width)) throw new Refusal(`${number} does not fit in ${name}, ${width} bits`);
        word = word & ~maskOf(ranges) | scatter(BigInt(digits), ranges);
      }
      return { ...read, form: this.decode(word, read.form.length), word };
    }

    // An instruction or, if the instruction set prefers it, the shortest one with the same text, however it was written.
    shortest(read, address) {
      if (!(this.t.head.flags & HEAD.SHORTEST) || read.names?.length) return read;
      const printed = this.both(read.form, read.word, address);
      for (const bits of this.lengths.filter(bits => bits < read.form.length)) {
        const found = this.find(printed, address, { only: bits, passes: ['exact'] });
        if (found) return found;
      }
      return read;
    }

    // The first shorter word that is equivalent to a longer one, but has another text; or null. One that has a name of its own is a hint.
    same(form, word, address) {
      for (const way of this.t.shorter.all().filter(way => way.long === form.number)) {
        const short = this.forms[way.short];
        const made = this.shortened(way, word);
        if (made === null || answer(() => this.decode(made, short.length)) !== short) continue;
        if (this.find(this.both(short, made, address), address, { only: form.length, passes: ['exact'] })) return { form: short, word: made };
      }
      return null;
    }

    // A longer word as a shorter one, or null.
    shortened(way, word) {
      const base = field => (field.label === LABEL.REGISTER ? BigInt(this.t.registers.get(field.of).from) : 0n) + (field.code.relative ?? 0n);
      const held = new Map();
      for (const { field: long, from, value } of this.t.held.slice(way.held)) {
        const field = this.field(long);
        const raw = this.raw(field, word);
        if (from === NO_FIELD && raw !== value) return null;
        if (from === NO_FIELD) continue;
        const own = this.field(from);
        const number = field.code.value(raw) + base(field) - base(own);
        const modulo = BigInt(field.code.modulo || own.code.modulo);
        const positive = BigInt.asUintN(Number(modulo), number);
        const near = modulo ? [number, positive, positive - (1n << modulo)] : [number];
        const bits = near.map(number => own.code.bits(number)).find(bits => bits !== null);
        if (bits === undefined || (held.get(own) ?? bits) !== bits) return null;
        held.set(own, bits);
      }
      return [...held].reduce((made, [field, bits]) => this.withRaw(field, made, bits), this.forms[way.short].default);
    }

    // -- reading

    readText(text, address, { symbols = null, only = null } = {}) {
      text = text.replace(/[ \t]+$/, '');
      const reader = new Reader(this, text, address, symbols);
      const found = this.find(text, address, { only, reader }) ?? this.findFolded(text, address, { symbols, only });
      if (found) return found;
      throw new Refusal(this.wrongText(reader, text));
    }

    // Reads the text in the case of all texts, if the instruction set ignores case; or null.
    findFolded(text, address, { symbols, only }) {
      const { flags } = this.t.head;
      if (!(flags & (HEAD.LOWER_CASE | HEAD.UPPER_CASE))) return null;
      const folded = text.replace(/[A-Za-z]/g, flags & HEAD.LOWER_CASE ? c => c.toLowerCase() : c => c.toUpperCase());
      return folded === text ? null : this.find(folded, address, { only, reader: new Reader(this, folded, address, symbols, text) });
    }

    // Reads the text in some passes; or null.
    find(text, address, { only = null, passes = ['exact', 'base', 'lenient', 'loose', 'also'], reader = new Reader(this, text, address, null) }) {
      const words = new Set(text.match(/[0-9A-Za-z_]+/g));
      const present = new Set(text);
      const templates = this.templates ??= this.t.templates.all().map((row, number) => ({
        ...row, number, word: this.t.string(row.word),
        needs: Array.from({ length: 127 }, (_, c) => c).filter(c => has(row.needs, c)).map(c => String.fromCharCode(c)),
      }));
      const fits = templates.filter(t =>
        (!t.word || words.has(t.word)) && t.needs.every(c => present.has(c)) && (only === null || this.forms[t.form].length === only));
      for (const pass of passes) {
        for (const template of fits) {
          if ((template.which > 0) !== ['base', 'also'].includes(pass)) continue;
          if (pass === 'base' && (template.which > 1 || !(this.forms[template.form].flags & FORM.HAS_BASE))) continue;
          const found = reader.template(template, pass === 'base' ? 'exact' : pass);
          if (found) return found;
        }
      }
      return null;
    }

    // The error in a text that no template reads.
    wrongText(reader, text) {
      const furthest = reader.furthest;
      for (const row of this.t.refused.all()) {
        const to = reader.beginning(row);
        if (to !== null && to >= furthest) return this.t.string(row.why);
      }
      if (!text.trim()) return 'there is no text';
      if (furthest === 0) return `no instruction begins with \`${/^\S*/.exec(text)[0]}\``;
      if (furthest >= text.length) return 'something is missing at the end, or no word says this';
      return `not understood from \`${text.slice(furthest).trim()}\` on`;
    }

    // The nearest word of a form that agrees in the known bits and keeps all conditions: [root of a diagram, whether the word is in
    // it] or a cube that the word is not in.
    nearest(form, word, known, conditions) {
      const t = this.t;
      const order = t.orders.slice(t.order_of.all().find(o => o.bits === form.length).order);
      const roots = conditions.map(c => c.cube ? (c.cube.mask === 0n ? 0 : 'in') : c.root);
      // The rest of a condition; 0 and 1 are decided.
      const step = (condition, state, bit, value) => {
        if (state === 0 || state === 1) return state;
        if (condition.cube) {
          if (!has(condition.cube.mask, bit)) return state;
          return has(condition.cube.value, bit) === value ? state : 1;
        }
        const node = t.nodes.get(state);
        return node.bit === bit ? (value ? node.hi : node.lo) : state;
      };
      const holds = (condition, state) => condition.cube ? state === 1 : (state === 1) === condition.want;
      const fails = (condition, state) => (condition.cube ? state === 0 : (state === 0 || state === 1) && !holds(condition, state));
      // From the last bit on: the best for each combination that can be reached.
      const levels = [new Map([[roots.join(), { states: roots, ways: [] }]])];
      for (const bit of order) {
        const next = new Map();
        for (const from of levels.at(-1).values()) {
          const choices = has(known, bit) ? [has(word, bit)] : [0n, 1n];
          const moved = choices.map(value => ({ value, states: conditions.map((c, i) => step(c, from.states[i], bit, value)) }));
          const same = moved.length === 2 && moved[0].states.join() === moved[1].states.join();
          for (const { value, states } of same ? [{ ...moved[0], value: has(word, bit) }] : moved) {
            if (states.some((s, i) => fails(conditions[i], s))) continue;
            const key = states.join();
            if (!next.has(key)) next.set(key, { states, ways: [] });
            from.ways.push({ value, bit, to: next.get(key) });
          }
        }
        if (next.size > MOST_STEPS) throw new Refusal('too many words could be meant');
        levels.push(next);
      }
      for (const end of levels.pop().values()) {
        if (end.states.every((s, i) => holds(conditions[i], s))) end.best = { cost: 0, word: 0n };
      }
      for (const level of levels.reverse()) {
        for (const from of level.values()) {
          for (const { value, bit, to } of from.ways) {
            if (!to.best) continue;
            const cost = to.best.cost + (value === has(word, bit) ? 0 : 1);
            const full = to.best.word | value << BigInt(bit);
            if (!from.best || cost < from.best.cost || (cost === from.best.cost && full < from.best.word)) from.best = { cost, word: full };
          }
        }
      }
      return [...levels.at(-1).values()][0].best?.word ?? null;
    }

    // -- refused words

    refusal(word, bits) {
      const t = this.t;
      const length = t.lengths.all().find(l => l.bits === bits);
      if (!length) return `no word has ${bits} bits`;
      if (word > ones(bits)) return `the word has more than ${bits} bits`;
      for (const form of this.forms) {
        if (form.length !== bits || ((word ^ form.value) & form.mask) !== 0n || !this.isIn(form.words, word)) continue;
        const rule = t.rules.slice(form.rules).find(r => !this.isIn(r.holds, word));
        if (rule) {
          const fields = t.lists.slice(rule.fields).map(f => this.saysField(this.field(f), word));
          return `${form.name}: ${t.string(rule.why)}${fields.length ? ` (${fields.join(', ')})` : ''}`;
        }
      }
      const unit = this.lowFirst ? word & ones(this.unit) : word >> BigInt(bits - this.unit);
      if (!this.isIn(length.words, word)) {
        const other = this.lengthOf(unit);
        return other ? `a word that begins like this has ${other} bits, not ${bits}` : this.unassigned(unit, bits) ?? 'no word begins like this';
      }
      const hole = t.holes.all().find(h => h.length === bits && ((word ^ h.value) & h.mask) === 0n);
      if (hole) {
        const summary = t.string(hole.summary);
        return `${t.string(hole.name)} is not described here${summary ? `: ${summary}` : ''}`;
      }
      const [closest] = this.closest(word, bits, 1);
      return this.unassigned(unit, bits) ?? (closest ? this.explain(closest, word) : `no instruction has ${bits} bits`);
    }

    saysField(field, word) {
      return `\`${field.path}\` ${bitsText(field.ranges)} is ${hex(this.raw(field, word))}`;
    }

    // The message for a first unit in a region that no form has.
    unassigned(unit, bits) {
      const t = this.t;
      const region = t.regions.all().find(r => r.first <= unit && unit <= r.last);
      const begins = form => {
        const shift = BigInt(this.lowFirst ? 0 : form.length - this.unit);
        const [mask, value] = [form.mask >> shift & ones(this.unit), form.value >> shift & ones(this.unit)];
        return ((unit ^ value) & mask) === 0n;
      };
      const of = this.lengthOf(unit);
      if (!region || this.forms.some(f => f.length === of && begins(f))) return null;
      return `no word begins like this: \`${t.string(region.name)}\` has ${hex(unit >> BigInt(region.open))} free`;
    }

    // The forms that are closest to a word, the closest first.
    closest(word, bits, most) {
      const opcode = this.t.lengths.all().find(length => length.bits === bits)?.opcode ?? 0n;
      const judged = this.forms.filter(form => form.length === bits).map(form => {
        const wrong = (word ^ form.value) & form.mask;
        const fixed = form.fixed.filter(f => wrong & f.mask);
        const rest = wrong & ~form.fixed.reduce((mask, f) => mask | f.mask, 0n) & ~form.reserved;
        const distance = [wrong & opcode ? 1 : 0, fixed.length + (rest ? 1 : 0), wrong & form.reserved ? 1 : 0, count(wrong)];
        return { form, wrong, fixed, rest, distance };
      });
      const less = (a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3];
      return judged.sort((a, b) => less(a.distance, b.distance)).slice(0, most);
    }

    // Why a word that is refused is not of the form that is closest.
    explain(near, word) {
      const { form, wrong, fixed } = near;
      if (!wrong || (!fixed.length && wrong & form.reserved)) return this.unlike(near, word);
      return `no such instruction; the closest is ${form.name}, but ${this.unlike(near, word).slice(form.name.length + 2)}`;
    }

    // Why a form of `closest` does not have the word, after its name.
    unlike({ form, wrong, fixed, rest }, word) {
      const t = this.t;
      if (!wrong) {
        const exclusion = t.exclusions.slice(form.exclusions).find(e => this.isIn(e.when, word));
        if (!exclusion) return form.name;
        const why = t.string(exclusion.why);
        return exclusion.field === NO_FIELD ? `${form.name}: ${why}` : `${form.name}: ${this.saysField(this.field(exclusion.field), word)}: ${why}`;
      }
      const reserved = wrong & form.reserved;
      if (!fixed.length && reserved) {
        const several = count(reserved) > 1;
        const bits = rangesOf(reserved).map(r => bitsText([r])).join(', ');
        return `${form.name}: reserved ${several ? 'bits' : 'bit'} ${bits} ${several ? 'are' : 'is'} set`;
      }
      const says = (name, ranges, value) => {
        const bits = bitsText(ranges);
        const what = name ? `\`${name}\` ${bits} is` : count(maskOf(ranges)) === 1 ? `bit ${bits} is` : `bits ${bits} are`;
        return `${what} ${hex(gather(word, ranges))}, not ${hex(value)}`;
      };
      const parts = fixed.map(f => says(f.name, f.ranges, f.value));
      for (const range of rangesOf(rest & ~form.kept)) parts.push(says('', [range], gather(form.value, [range])));
      return `${form.name}: ${parts.join(', ')}`;
    }
  }

  // A number with a radix and a number of digits.
  function digits(n, [radix, least]) {
    const sign = n < 0n ? '-' : '';
    const size = n < 0n ? -n : n;
    return sign + (radix === 16 ? '0x' + size.toString(16).padStart(least, '0') : size.toString().padStart(least, '0'));
  }

  // The fraction bits and the exponent of 1 of a floating-point format, by its bits.
  const FLOATS = { 16: [10n, 15n], 32: [23n, 127n], 64: [52n, 1023n] };

  // A floating-point number, with 20 significant digits at most, or 21 from a thousand million on; or with an exponent and as many
  // digits after the point as `precision`.
  function floatText(bits, format, precision = 0) {
    const [fraction, one] = FLOATS[format];
    const negative = bits >> BigInt(format - 1) & 1n;
    const exponents = 1n << BigInt(format - 1) - fraction;
    const exponent = bits >> fraction & (exponents - 1n);
    const rest = bits & ((1n << fraction) - 1n);
    if (exponent === exponents - 1n) {
      return (negative ? '-' : '+') + (rest === 0n ? 'INF' : rest >> fraction - 1n ? 'QNAN' : 'SNAN');
    }
    if (exponent === 0n && rest === 0n) return precision ? `${negative ? '-' : ''}0.${'0'.repeat(precision)}e+00` : negative ? '-0.0' : '0';
    // The number is above / below.
    const whole = exponent ? rest | 1n << fraction : rest;
    const power = (exponent || 1n) - one - fraction;
    const above = power > 0n ? whole << power : whole;
    const below = power < 0n ? 1n << -power : 1n;
    const large = above >= 1000000000n * below;
    const count = precision ? precision + 1 : large ? 21 : 20;
    // Digits and the power of ten of the first; rounding can make it one more.
    let ten = above >= below ? (above / below).toString().length - 1 : -(below / above).toString().length;
    const rounded = ten => {
      const shift = BigInt(count - 1 - ten);
      const [n, d] = shift > 0n ? [above * 10n ** shift, below] : [above, below * 10n ** -shift];
      const twice = 2n * (n % d);
      const up = twice > d || (twice === d && n / d & 1n);
      return (n / d + (up ? 1n : 0n)).toString();
    };
    let all = rounded(ten);
    while (all.length !== count) {
      ten += all.length - count;
      all = rounded(ten);
    }
    if (!large && !precision) all = all.replace(/0+$/, '');
    const point = (first, rest) => (rest ? `${first}.${rest}` : first);
    const sign = negative ? '-' : '';
    if (precision || large || ten < -4) {
      return `${sign}${point(all[0], all.slice(1))}e${ten < 0 ? '-' : '+'}${Math.abs(ten).toString().padStart(2, '0')}`;
    }
    if (ten < 0) return `${sign}0.${'0'.repeat(-ten - 1)}${all}`;
    return sign + point(all.slice(0, ten + 1).padEnd(ten + 1, '0'), all.slice(ten + 1));
  }

  // All other bits that have the text of a NaN: each with those bits of it that can be anything.
  function otherNans(nan, format) {
    const [fraction] = FLOATS[format];
    const rest = nan & ((1n << fraction) - 1n);
    const head = nan - rest;
    const quiet = 1n << fraction - 1n;
    if (rest & quiet) return [{ bits: head | quiet, open: quiet - 1n }];
    // A signalling NaN has some bit set; without it, the number would be infinite.
    const found = [];
    for (let bit = quiet >> 1n; bit; bit >>= 1n) found.push({ bits: head | bit, open: (quiet - 1n) & ~bit });
    return found;
  }

  // The bits of the floating-point number that is nearest to a text, or null if it is too large.
  function floatBits(text, format) {
    const [fraction, one] = FLOATS[format];
    const [, mark, name, digits, part = '', power = '0'] = /^([-+]?)(?:(INF|QNAN|SNAN)|([0-9]+)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]+))?)$/.exec(text);
    const sign = mark === '-' ? 1n << BigInt(format - 1) : 0n;
    const infinity = (1n << BigInt(format - 1)) - (1n << fraction);
    if (name) return sign | infinity | (name === 'INF' ? 0n : name === 'QNAN' ? 1n << fraction - 1n : 1n << fraction - 2n);
    const whole = BigInt(digits + part);
    const ten = Number(power) - part.length;
    if (whole === 0n || ten + digits.length + part.length < -400) return sign;
    if (ten + digits.length + part.length > 400) return null;
    const [above, below] = ten < 0 ? [whole, 10n ** BigInt(-ten)] : [whole * 10n ** BigInt(ten), 1n];
    const least = 1n - one - fraction;
    // The power of two of the last bit, so that there are as many bits as the format has, or fewer for the smallest numbers.
    let two = BigInt(above.toString(2).length - below.toString(2).length) - fraction - 1n;
    const at = two => (two < 0n ? [above << -two, below] : [above, below << two]);
    if (two < least) two = least;
    while (at(two)[0] / at(two)[1] >= 2n << fraction) two += 1n;
    const [n, d] = at(two);
    const twice = 2n * (n % d);
    const bits = n / d + (twice > d || (twice === d && n / d & 1n) ? 1n : 0n) + (two - least << fraction);
    return bits < infinity ? sign | bits : null;
  }

  // Follows the steps of templates through one text, depth first.
  class Reader {
    // `source` has the names of the program as they are written.
    constructor(engine, text, address, symbols, source = text) {
      Object.assign(this, { engine, t: engine.t, text, source, address, symbols, furthest: 0 });
    }

    // The word that a template reads in a pass, or null.
    template(template, pass) {
      const form = this.engine.forms[template.form];
      const start = { step: template.step, at: 0, word: form.value, known: form.mask, pending: [], stack: [], names: {} };
      return this.follow(form, start, pass, state => this.finish(form, state));
    }

    // The number of characters that a wrong beginning of an instruction reads.
    beginning(row) {
      const form = this.engine.forms[row.form];
      const start = { step: row.step, at: 0, word: form.value, known: form.mask, pending: [], stack: [], names: {} };
      return this.follow(form, start, 'loose', state => ({ at: state.at }), true)?.at ?? null;
    }

    // Tries ways until one is accepted at an end.
    follow(form, start, pass, accept, anywhere = false) {
      const exact = pass === 'exact';
      const ways = [start];
      for (let steps = 0; ways.length; steps++) {
        if (steps > MOST_STEPS) throw new Refusal('the text can be read in too many ways');
        const state = ways.pop();
        if (state.at > this.furthest) this.furthest = state.at;
        const step = this.t.steps.get(state.step);
        const next = changes => ({ ...state, step: step.next, ...changes });
        const body = changes => ({ ...state, step: step.body, ...changes });
        // The first way is tried first, so it is put on top.
        const go = (...list) => { for (const way of list.reverse()) ways.push(way); };
        switch (step.kind) {
          case STEP.END: {
            const found = (anywhere || this.isAtEnd(state.at)) && accept(state);
            if (found) return found;
            break;
          }
          case STEP.LITERAL: {
            const at = this.literal(this.t.string(this.t.strings.get(step.of)), state.at, exact);
            if (at !== null) go(next({ at }));
            break;
          }
          case STEP.VALUE: go(...this.values(step, state, exact).map(next)); break;
          case STEP.HOLDS: {
            const when = want => ({ pending: [...state.pending, { root: step.of, want }] });
            go(body(when(true)), next(when(false)));
            break;
          }
          case STEP.DIFFERS: {
            const cube = this.t.cubes.get(step.of);
            const strict = exact || pass === 'lenient';
            const list = [body(strict ? { pending: [...state.pending, { cube }] } : {})];
            if (((state.word ^ form.default) & cube.mask & state.known) === 0n) {
              list.push(next({ word: state.word & ~cube.mask | form.default & cube.mask, known: state.known | cube.mask }));
            }
            go(...list);
            break;
          }
          case STEP.EITHER: go(body({}), next({})); break;
          case STEP.ONE_OF: go(body({ stack: [step.next, ...state.stack] })); break;
          case STEP.RETURN: {
            const [to, ...stack] = state.stack;
            go({ ...state, step: to, stack });
            break;
          }
          case STEP.FULL: {
            const found = (anywhere || this.isAtEnd(state.at)) && accept(state);
            if (found) return found;
            const at = this.literal(' ', state.at, exact);
            if (at !== null) go(body({ at }));
            break;
          }
          default: throw new Error('the image has an unknown step');
        }
      }
      return null;
    }

    isAtEnd(at) {
      return this.behindBlanks(at) === this.text.length;
    }

    behindBlanks(at) {
      while (isBlank(this.text[at])) at++;
      return at;
    }

    // Returns true if there may be blanks here that are not in the template.
    mayBeBehindBlanks(at) {
      return at === 0 || ',[(+'.includes(this.text[at - 1]);
    }

    literal(literal, at, exact) {
      if (exact) return this.text.startsWith(literal, at) ? at + literal.length : null;
      for (const c of literal) {
        if (isBlank(c)) {
          const to = this.behindBlanks(at);
          if (to === at && isWordCharacter(this.text[at - 1]) && isWordCharacter(this.text[at])) return null;
          at = to;
          continue;
        }
        if (!this.text.startsWith(c, at) && (!isWordCharacter(c) || this.mayBeBehindBlanks(at))) at = this.behindBlanks(at);
        if (!this.text.startsWith(c, at)) return null;
        at += c.length;
      }
      return at;
    }

    // The ways in which a value can be read: what each changes.
    values(step, state, exact) {
      const field = this.engine.field(step.of);
      let at = state.at;
      if (!exact && this.mayBeBehindBlanks(at)) at = this.behindBlanks(at);
      if (field.place !== NO_PLACE) {
        const end = this.name(step.spelling, at);
        return end === null ? [] : [{ at: end, names: { ...state.names, [field.place]: this.text.slice(at, end) } }];
      }
      const ways = this.ways(field, step.spelling, at, exact).filter(way => way.printed || !exact);
      ways.sort((a, b) => b.at - a.at);
      const changes = [];
      for (const way of ways) {
        const mask = field.mask & ~scatter(way.open ?? 0n, field.ranges);
        const set = scatter(way.bits, field.ranges) & mask;
        if ((set ^ state.word) & mask & state.known) continue;
        changes.push({ at: way.at, word: state.word & ~mask | set, known: state.known | mask });
      }
      return changes;
    }

    // The ways in which a field with a spelling can be read: its bits, the open bits, the end of the text, and whether it is printed like this.
    ways(field, spelling, at, exact) {
      const parts = this.engine.parts(spelling);
      // Blanks may precede a value, and are not within it.
      const mark = from => exact || parts.length > 1 ? from : this.behindBlanks(from);
      if (parts.length === 1 && !parts[0].width) return this.part(field.code, parts[0], at, mark(at));
      let ways = [{ at, number: 0n, printed: true }];
      for (const part of parts) {
        const code = new Code(part.width || field.width);
        ways = ways.flatMap(before => this.part(code, part, before.at, mark(before.at)).map(way => (
          { at: way.at, number: before.number | way.bits << BigInt(part.lo), printed: before.printed && way.printed }))).slice(0, 64);
      }
      return ways.flatMap(way => field.code.allBits(way.number).map(bits => ({ ...way, bits })));
    }

    // The ways in which a part can be read: its bits by a code. Names that begin with punctuation can follow blanks, at `mark`.
    part(code, part, at, mark) {
      const t = this.t;
      const ways = [];
      const add = (to, number, printed) => ways.push(...code.allBits(number).map(bits => ({ at: to, bits, printed })));
      for (const named of t.names.slice(part.read)) {
        const text = t.string(named.text);
        const from = !text || isWordCharacter(text[0]) ? at : mark;
        if (this.text.startsWith(text, from)) add(from + text.length, named.value, !named.also);
      }
      if (part.other === OTHER.DIGITS) {
        const way = this.number(code, part, at);
        if (way) ways.push(way, ...this.alike(code, part, way));
      }
      if (part.other === OTHER.NUMBERED) {
        const before = t.string(part.before) + (part.radix === 16 ? '0x' : '');
        const from = at + before.length;
        const pattern = part.radix === 16 ? /^[0-9a-fA-F]+/ : /^[0-9]+/;
        const digits = this.text.startsWith(before, at) ? pattern.exec(this.text.slice(from, from + 64))?.[0] ?? '' : '';
        if (!digits) return ways;
        // Zeros after the letters of a name are a part of it.
        const isName = /[0-9A-Za-z_]$/.test(before);
        const read = part.radix === 16 ? BigInt(`0x${digits}`) : isName ? BigInt(digits) : this.magnitude(digits, [10, 1]);
        if (read === null) return ways;
        const isPlain = (digits === '0' || !digits.startsWith('0')) && digits === digits.toLowerCase();
        for (const half of part.halved ? [0, 1] : [null]) {
          const rest = (half === null ? '' : t.string(part.halves[half])) + t.string(part.after);
          const number = half === null ? read : read * 2n + BigInt(half);
          if (!this.text.startsWith(rest, from + digits.length) || number > part.last) continue;
          add(from + digits.length + rest.length, number, isPlain && !t.names.slice(part.printed).some(n => n.value === number));
        }
      }
      return ways;
    }

    // The one way in which a number can be read.
    number(code, part, at) {
      const rest = this.text.slice(at, at + 4096);
      const isPrinted = (bits, shown) => this.engine.partText({ ...part, width: 0 }, code.shown(bits, this.address), code.map ? part.digits : code.width) === shown;
      if (part.radix === RADIX.FLOAT && !rest.startsWith('0x')) {
        const found = /^[-+]?(?:INF|QNAN|SNAN|[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)(?![0-9A-Za-z_])/.exec(rest)?.[0];
        const float = found && floatBits(found, part.digits);
        if (code.map && found) {
          const bits = float === null ? undefined : code.bits(float) ?? code.alike(float, part.digits)[0];
          return bits === undefined ? null : { at: at + found.length, bits, printed: isPrinted(bits, found) };
        }
        const less = BigInt(part.digits - code.width);
        if (!float && float !== 0n || float & ((1n << less) - 1n)) return null;
        const bits = code.wordBits(float >> less);
        return { at: at + found.length, bits, printed: isPrinted(bits, found) };
      }
      const symbol = this.symbols?.(this.source.slice(at, at + 4096));
      const match = !symbol && /^([-+]?)(0[xX][0-9a-fA-F]+|[0-9]+)(?![0-9A-Za-z_])/.exec(rest);
      let n;
      let length;
      if (symbol) {
        n = code.relative !== null && !code.modulo ? BigInt.asIntN(64, symbol.value) : symbol.value;
        length = symbol.length;
      } else if (match) {
        const magnitude = this.magnitude(match[2], [part.radix, part.digits]);
        if (magnitude === null) return null;
        n = magnitude;
        if (match[1] === '-') n = -n;
        length = match[0].length;
      } else {
        return null;
      }
      const bits = this.bitsOf(code, n);
      if (bits === null) return null;
      return { at: at + length, bits, printed: Boolean(match) && isPrinted(bits, match[0]) };
    }

    // The number that digits are, or null: one that begins with 0 is octal, or refused; unless numbers are padded with zeros here.
    magnitude(digits, [radix, least]) {
      if (!/^0+[1-9]/.test(digits) || (radix === 10 && least > 1)) return BigInt(digits);
      return this.t.head.flags & HEAD.OCTAL && /^[0-7]+$/.test(digits) ? BigInt(`0o${digits}`) : null;
    }

    // Other ways to read a number: bits that print as it does, and which of them can be anything.
    alike(code, part, way) {
      const isNan = part.radix === RADIX.FLOAT && this.text.slice(0, way.at).endsWith('NAN');
      if (code.map) return (isNan ? code.alike(code.value(way.bits), part.digits) : code.map.bits.get(code.value(way.bits)) ?? []).filter(bits => bits !== way.bits).map(bits => ({ ...way, bits, open: 0n }));
      const own = code.numberBits(way.bits);
      // Each bit of the word depends only on that of the number at the same place, or nothing is known of open bits.
      const isBitwise = Array.from({ length: code.width }, (_, bit) => 1n << BigInt(bit)).every(bit => (code.wordBits(bit) ^ code.wordBits(0n)) === bit);
      const other = (bits, open) => ({ ...way, bits: code.wordBits(bits) & ~open, open });
      // Hexadecimal digits are the bits themselves.
      if (isNan) {
        const less = BigInt(part.digits - code.width);
        const nans = otherNans(own << less, part.digits).filter(nan => (nan.bits & ((1n << less) - 1n)) === 0n);
        return nans.map(nan => other(nan.bits >> less, nan.open >> less)).filter(nan => !nan.open || isBitwise);
      }
      if (!code.modulo) return [];
      // A multiple of a power of two is the same modulo another one.
      const size = code.scale < 0n ? -code.scale : code.scale;
      const zeros = size.toString(2).length - size.toString(2).replace(/0+$/, '').length;
      const open = ones(code.width) & ~ones(Math.max(code.modulo - zeros, 0));
      return open && isBitwise ? [other(own, open)] : [];
    }

    // The bits of a number that is shown, or null.
    bitsOf(code, n) {
      if (code.map) return code.bits(n);
      const { width, scale, bias, isSigned } = code;
      const target = code.relative !== null;
      let lowest = isSigned ? -(1n << BigInt(width - 1)) : 0n;
      let highest = isSigned ? (1n << BigInt(width - 1)) - 1n : ones(width);
      if (code.readsOtherSign && !target) {
        if (isSigned) highest = ones(width);
        else lowest = -(1n << BigInt(width - 1));
      }
      let d = n - bias;
      if (target) d -= code.origin(this.address);
      // The sum of an address and a distance has 64 bits.
      if (target && BigInt.asIntN(64, n) === n) d = BigInt.asIntN(64, d + bias) - bias;
      // Such an address is shown as a negative number.
      else if (target && !code.modulo) return null;
      const isGood = d => scale !== 0n && d % scale === 0n && d / scale >= lowest && d / scale <= highest;
      if (code.modulo) {
        const size = 1n << BigInt(code.modulo);
        const half = size / 2n;
        const least = modulo(d + bias, size) - bias;
        const middle = modulo(d + bias + half, size) - half - bias;
        // The least of those that are in range.
        const bounds = [lowest * scale, highest * scale];
        const low = bounds[0] < bounds[1] ? bounds[0] : bounds[1];
        let first = low + modulo(d - low, size);
        for (let i = 0; i < 4096 && !isGood(first); i++) first += size;
        const found = [middle, least, first].find(isGood);
        if (found === undefined) return null;
        d = found;
      }
      if (!isGood(d)) return null;
      return code.wordBits(BigInt.asUintN(width, d / scale));
    }

    // The end of the longest name that a program can give to a register.
    name(spelling, at) {
      const t = this.t;
      const patterns = this.engine.parts(spelling).flatMap(part => t.patterns.slice(part.patterns)).map(rows => t.classes.slice(rows));
      const isOf = (part, c) => c !== undefined && c.charCodeAt(0) < 128 && has(part.of, c.charCodeAt(0)) === 1n;
      const first = this.text[at];
      if (isWordCharacter(this.text[at - 1])) {
        const continues = patterns.some(classes => classes.some((of, i) => (i > 0 || of.flags & CLASS.REPEATS) && isOf(of, first)));
        if (continues) return null;
      }
      let longest = null;
      for (const classes of patterns) {
        let to = at;
        const reads = classes.every(part => {
          const from = to;
          if (isOf(part, this.text[to])) to++;
          while (part.flags & CLASS.REPEATS && to > from && isOf(part, this.text[to])) to++;
          return to > from || (part.flags & CLASS.MISSING) !== 0;
        });
        if (reads && to > at && (longest === null || to > longest)) longest = to;
      }
      return longest;
    }

    // The word at an end, or null.
    finish(form, state) {
      let { word, known } = state;
      let names = null;
      if (form.names) {
        const given = Array.from({ length: form.names }, (_, place) => state.names[place]);
        names = given;
        for (const field of form.fields.filter(f => f.place !== NO_PLACE && given[f.place] !== undefined)) {
          const number = BigInt(given.indexOf(given[field.place]));
          word = this.engine.withRaw(field, word, number);
          known |= field.mask;
        }
      }
      word = word & known | form.default & ~known;
      const conditions = [{ root: form.words, want: true }, { root: form.legal, want: true }, ...state.pending];
      const holds = c => (c.cube ? (word & c.cube.mask) !== c.cube.value : this.engine.isIn(c.root, word) === c.want);
      if (!conditions.every(holds)) word = this.engine.nearest(form, word, known, conditions);
      return word === null ? null : { form, word, names };
    }
  }

  return { Engine, Labels, Refusal, LABEL, NO_PLACE, ones, hex, has, rangesOf, bitsText, maskOf, gather, scatter };
})();

if (typeof module !== 'undefined') module.exports = Isat;
