#!/usr/bin/env node
/** Starts the command line. In a checkout, compiles changed sources first. */
import { existsSync } from 'node:fs';

const builder = new URL('../../../tools/build.mjs', import.meta.url);
if (existsSync(builder)) {
  const { build } = await import(builder.href);
  await build(['apps/cli', 'libs/sdk']);
}
const { main } = await import('../dist/main.js');
process.exitCode = await main(process.argv.slice(2));
// Exits even if a stream or socket is still open.
process.stdout.write('', () => process.exit());
