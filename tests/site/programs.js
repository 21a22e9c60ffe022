// Compares the output of the explorer's engine for programs with that of the assembler: one line of JSON for each program, written by explorer.rs.
'use strict';
const fs = require('fs');
const path = require('path');
const Isat = require(path.join(__dirname, '../../isa-docs/templates/site/engine.js'));

const wrong = [];
let words = 0;

function read(engine, labels, lines) {
  const found = [];
  const state = {};
  let address = 0n;
  labels.begin(lines.join('\n'));
  for (const statement of lines.flatMap(line => engine.syntax.statements(line, state))) {
    const { marks, rest } = engine.syntax.marks(statement);
    for (const mark of marks) address = labels.mark(mark, address) ?? address;
    labels.statement();
    if (!rest || labels.assigned(rest, address)) continue;
    let bits = engine.lengths[0];
    try {
      const { form, word } = labels.read(engine, rest, address);
      found.push(`${address.toString(16)}: ${word.toString(16)}`);
      bits = form.length;
    } catch (error) {
      if (!(error instanceof Isat.Refusal)) throw error;
      found.push(`${address.toString(16)}: ! ${rest}: ${error.message}`);
    }
    address += BigInt(bits / 8);
  }
  return found;
}

for (const line of fs.readFileSync(process.argv[2], 'utf8').split('\n').filter(line => line)) {
  const { name, image, program, expected } = JSON.parse(line);
  const engine = new Isat.Engine(new Uint8Array(Buffer.from(image, 'hex')));
  const labels = new Isat.Labels(engine.syntax);
  const found = labels.settled(() => read(engine, labels, program.split('\n')));
  if (found.join('\n') !== expected.join('\n')) wrong.push(`${name}:\n${found.join('\n')}\nnot\n${expected.join('\n')}`);
  words += found.length;
}
console.log(`${words} words`);
if (wrong.length || !words) {
  console.log(wrong.join('\n'));
  process.exitCode = 1;
}
