#!/usr/bin/env node
/** As much of curl as the first message uses, for machines without one. */
import { readFileSync } from 'node:fs';

const options = { method: 'GET', headers: {} };
let url;
const args = process.argv.slice(2);
while (args.length > 0) {
  const arg = args.shift();
  if (arg === '-X') options.method = args.shift();
  else if (arg === '-d') options.body = args.shift();
  else if (arg === '-H') {
    const header = args.shift();
    const [name, value] = (header === '@-' ? readFileSync(0, 'utf8').trim() : header).split(/: (.*)/s);
    options.headers[name] = value;
  } else if (!arg.startsWith('-')) url = arg;
}
process.stdout.write(await (await fetch(url, options)).text());
