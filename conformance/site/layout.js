// Compares the records, tables, kinds and flags of the explorer's engine with those of docs/tables.md.
'use strict';
const fs = require('fs');
const path = require('path');
const assert = require('assert');
const Isat = require(path.join(__dirname, '../../isa-codegen/templates/site/engine.js'));

const page = fs.readFileSync(process.argv[2], 'utf8').split('<!-- tables: begin -->')[1].split('<!-- tables: end -->')[0];
const [list, ...records] = page.split(/^#### /m);
const cells = text => text.split('\n').filter(line => line.startsWith('| ')).map(line => line.split('|').map(cell => cell.trim()));
const plain = name => name.replaceAll('`', '');

const tables = cells(list).slice(1).map(([, name, type]) => `${plain(name)} ${type}`);
assert.strictEqual(Isat.TABLES, tables.join(', '));

const documented = {};
for (const record of records) {
  const columns = cells(record).slice(1).map(([, , , name, type]) => `${plain(name)} ${type.replace(/^\[(\w+); (\d+)\]$/, '$1 $2')}`);
  documented[/^\w+/.exec(record)[0]] = columns.join(', ');
}
assert.deepStrictEqual(Isat.RECORDS, documented);

// The table of kinds and flags: a column that is empty goes on with the one above.
const named = {};
let column = '';
const text = fs.readFileSync(process.argv[2], 'utf8');
for (const [, of, number, name] of cells(text.split('## Values of kinds and flags')[1].split('\n## ')[0]).slice(1)) {
  column = plain(of) || column;
  (named[column] ??= {})[plain(name)] = Number(number);
}
assert.deepStrictEqual(Isat.NAMED, named);
