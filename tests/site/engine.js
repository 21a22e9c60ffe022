// Compares the engine of the explorer with the answers of the reference codec: one line of JSON for each spec, written by explorer.rs.
'use strict';
const fs = require('fs');
const Isat = require(process.argv[2]);

const wrong = [];
const number = digits => BigInt('0x' + digits);
let [specs, words, texts] = [0, 0, 0];

function same(what, got, expected) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(expected)];
  if (a !== b) wrong.push(`${what}: ${a}, not ${b}`);
}

function word(engine, name, [digits, bits, address, form, text, full]) {
  const [what, at, value] = [`${name}: ${digits}`, number(address), number(digits)];
  const found = engine.word(value, bits, at);
  if (form === null) return same(what, found.refused ?? found.form.name, text);
  if (found.refused) return wrong.push(`${what} is refused: ${found.refused}`);
  same(what, [found.form.name, found.text, engine.full(found.form, value, at)], [form, text, full]);
  const read = engine.read(full, at);
  same(`${what}: ${full}`, read.refused ?? [read.form.name, read.word.toString(16)], [form, digits]);
}

function text(engine, { name, address }, [text, form, digits, again]) {
  const at = number(address);
  const read = engine.read(text, at, { label: 0x40n });
  const printed = read.refused ? null : [read.form.name, read.word.toString(16), engine.print(read.form, read.word, at, read.names)];
  same(`${name}: \`${text}\`${read.refused ? ` (${read.refused})` : ''}`, printed, form === null ? null : [form, digits, again]);
}

(async () => {
  for (const line of fs.readFileSync(process.argv[3], 'utf8').split('\n').filter(line => line)) {
    const spec = JSON.parse(line);
    try {
      const engine = await Isat.open(new Uint8Array(Buffer.from(spec.image, 'hex')));
      for (const one of spec.words) word(engine, spec.name, one);
      for (const one of spec.texts) text(engine, spec, one);
    } catch (error) {
      wrong.push(`${spec.name}: ${error.stack}`);
    }
    specs += 1;
    words += spec.words.length;
    texts += spec.texts.length;
  }
  console.log(`${specs} specs, ${words} words, ${texts} texts`);
  if (wrong.length || !specs) {
    console.log(`${wrong.length} are wrong:\n${wrong.slice(0, 20).join('\n')}`);
    process.exitCode = 1;
  }
})();
