/** Writes what the code declares into the documents: the tables of settings in docs/operating.md. `npm run docs`. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

const PAGE = fileURLToPath(new URL('../docs/operating.md', import.meta.url));

await build();
const { discoverSettings, withSettingsTables } = await import('../libs/platform/dist/config/index.js');
await writeFile(PAGE, withSettingsTables(await readFile(PAGE, 'utf8'), await discoverSettings()));
