/**
 * The functions and types of `@tieline/sdk/api`, made by @hey-api/openapi-ts from docs/openapi.json
 * and docs/webhooks.json.
 */
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';

const ROOT = resolve(import.meta.dirname, '..');

/** @param {string} folder what is in it is replaced */
export async function writeClient(folder) {
  await createClient({
    input: await wholeDocument(),
    output: { path: folder, module: { extension: '.js' }, clean: true },
    plugins: [
      { name: '@hey-api/client-fetch', throwOnError: true },
      '@hey-api/typescript',
      { name: '@hey-api/sdk', client: false, responseStyle: 'data' },
    ],
    logs: { level: 'silent' },
  });
  // A module-level client would be shared by all callers, so callers pass their own.
  await rm(join(folder, 'client.gen.ts'));
  await appendFile(
    join(folder, 'index.ts'),
    `export { createClient, createConfig, type Client } from './client/index.js';\n`,
  );
  await withoutDom(join(folder, 'client/client.gen.ts'));
}

/** The API with what is sent to others, as the types of the SDK have both. */
async function wholeDocument() {
  const read = async (name) => JSON.parse(await readFile(resolve(ROOT, `docs/${name}.json`), 'utf8'));
  const [api, { webhooks }] = await Promise.all([read('openapi'), read('webhooks')]);
  return { ...api, webhooks };
}

/**
 * `BodyInit` is a name of browsers' types, which a program for Node.js doesn't have; what it means
 * is in both.
 */
async function withoutDom(file) {
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replaceAll('as BodyInit | null | undefined', "as RequestInit['body']"));
}
