// Compares the engine of the explorer with the answers of the reference codec: one line of JSON for each spec, written by explorer.rs.
'use strict';
const fs = require('fs');
const path = require('path');
const Isat = require(path.join(__dirname, '../../isa-docs/templates/site/engine.js'));

const wrong = [];
const number = digits => BigInt('0x' + digits);
let [specs, words, texts] = [0, 0, 0];

// The result of `ask`, or the reason why it is refused.
function answer(ask) {
  try {
    return ask();
  } catch (error) {
    if (error instanceof Isat.Refusal) return { refused: error.message };
    throw error;
  }
}

function same(what, got, expected) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(expected)];
  if (a !== b) wrong.push(`${what}: ${a}, not ${b}`);
}

function word(engine, name, [digits, bits, address, form, text, full]) {
  const [what, at, value] = [`${name}: ${digits}`, number(address), number(digits)];
  const found = answer(() => engine.decode(value, bits));
  if (form === null) return same(what, found.refused ?? found.name, text);
  if (found.refused) return wrong.push(`${what} is refused: ${found.refused}`);
  same(what, [found.name, engine.print(found, value, at), engine.full(found, value, at)], [form, text, full]);
  const read = answer(() => engine.read(full, { address: at }));
  same(`${what}: ${full}`, read.refused ?? [read.form.name, read.word.toString(16)], [form, digits]);
}

function text(engine, { name, address }, [text, form, digits, again]) {
  const at = number(address);
  const read = answer(() => engine.read(text, { address: at, symbols: rest => (/^label(?![\w.$])/.test(rest) ? { value: 0x40n, length: 5 } : null) }));
  const printed = read.refused ? null : [read.form.name, read.word.toString(16), engine.print(read.form, read.word, at, read.names)];
  same(`${name}: \`${text}\`${read.refused ? ` (${read.refused})` : ''}`, printed, form === null ? null : [form, digits, again]);
}

for (const line of fs.readFileSync(process.argv[2], 'utf8').split('\n').filter(line => line)) {
  const spec = JSON.parse(line);
  try {
    const engine = new Isat.Engine(new Uint8Array(Buffer.from(spec.image, 'hex')));
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
