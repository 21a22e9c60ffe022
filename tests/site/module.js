// Compares the answers of two modules: that of the site, and another one. One line of JSON for each spec, written by explorer.rs.
'use strict';
const fs = require('fs');

(async () => {
  const specs = fs.readFileSync(process.argv[4], 'utf8').split('\n').filter(line => line).map(line => JSON.parse(line));
  const answers = async Isat => {
    const found = [];
    for (const { image, words, texts } of specs) {
      const engine = await Isat.open(new Uint8Array(Buffer.from(image, 'hex')));
      for (const [word, bits, address] of words) found.push(engine.ask(`word ${bits} ${word} ${address}`), engine.ask(`closest ${bits} ${word} 4`));
      found.push(engine.ask('items', ...texts.map(([text]) => text)));
    }
    return found.map(answer => JSON.stringify(answer));
  };
  const ours = await answers(require(process.argv[2]));
  delete require.cache[require.resolve(process.argv[2])];
  const theirs = await answers(Object.assign(require(process.argv[2]), { module: fs.readFileSync(process.argv[3]).toString('base64') }));
  const wrong = ours.filter((answer, at) => answer !== theirs[at]);
  console.log(`${ours.length} answers, ${wrong.length} differ\n${wrong.slice(0, 10).join('\n')}`);
  process.exitCode = wrong.length || !ours.length ? 1 : 0;
})();
