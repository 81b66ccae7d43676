#!/usr/bin/env node
/** Starts the command line; in a checkout, whatever has changed is compiled first. */
import { existsSync } from 'node:fs';

const builder = new URL('../../../tools/build.mjs', import.meta.url);
if (existsSync(builder)) {
  const { build } = await import(builder.href);
  await build(['apps/cli', 'libs/sdk']);
}
const { main } = await import('../dist/main.js');
process.exitCode = await main(process.argv.slice(2));
// A stream or a socket that is still open must not keep a finished command alive.
process.stdout.write('', () => process.exit());
