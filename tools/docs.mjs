/**
 * Writes what the code declares into the documents: the tables of settings in docs/configure.md,
 * the codes of errors in docs/errors.md, and what each sender's setup.md is a source of. `npm run
 * docs`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { errorCodes, withErrorCodes } from './error-codes.mjs';
import { ownFiles } from './lint/sources.mjs';
import { writeSenders } from './senders.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

async function rewrite(page, change) {
  const path = `${ROOT}docs/${page}`;
  await writeFile(path, change(await readFile(path, 'utf8')));
}

await build();
const { discoverSettings, withSettingsTables } = await import('@tieline/platform/config');
const classes = await discoverSettings();
await rewrite('configure.md', (page) => withSettingsTables(page, classes));
const { declared } = await errorCodes(ROOT, await ownFiles(ROOT));
await rewrite('errors.md', (page) => withErrorCodes(page, declared));
await writeSenders(ROOT);
