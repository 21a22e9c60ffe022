// Compares the output of the explorer's engine for programs with that of the assembler: one line of JSON for each program, written by explorer.rs.
'use strict';
const fs = require('fs');
const Isat = require(process.argv[2]);

const wrong = [];
let words = 0;

const said = ({ address, word, text, error }) => (word === undefined ? `${address.toString(16)}: ! ${text}: ${error}` : `${address.toString(16)}: ${word.toString(16)}`);

(async () => {
  for (const line of fs.readFileSync(process.argv[3], 'utf8').split('\n').filter(line => line)) {
    const { name, image, program, expected } = JSON.parse(line);
    const engine = await Isat.open(new Uint8Array(Buffer.from(image, 'hex')));
    const found = engine.items(program).map(said);
    if (found.join('\n') !== expected.join('\n')) wrong.push(`${name}:\n${found.join('\n')}\nnot\n${expected.join('\n')}`);
    words += found.length;
  }
  console.log(`${words} words`);
  if (wrong.length || !words) {
    console.log(wrong.join('\n'));
    process.exitCode = 1;
  }
})();
