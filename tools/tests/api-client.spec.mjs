import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeClient } from '../api-client.mjs';
import { ownFiles } from '../lint/sources.mjs';
import { temporaryFolder } from './node-script.mjs';

const COMMITTED = fileURLToPath(new URL('../../libs/sdk/src/api', import.meta.url));

const textsOf = async (folder) => {
  const files = await ownFiles(folder);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return Object.fromEntries(files.map((file, index) => [file, texts[index]]));
};

it('libs/sdk/src/api is made from docs/openapi.json: `npm run docs:api` writes it', async () => {
  const folder = await temporaryFolder();
  await writeClient(folder);
  const [made, committed] = [await textsOf(folder), await textsOf(COMMITTED)];
  expect(Object.keys(committed)).toEqual(Object.keys(made));
  for (const file of Object.keys(made)) expect({ [file]: committed[file] }).toEqual({ [file]: made[file] });
});
