import { readFileSync, writeFileSync } from 'node:fs';
import type { Contract } from './breaking-changes.js';

/** The API document and the document of outgoing requests. */
export interface Documents {
  api: Contract;
  webhooks: Contract;
}

const fileOf = (name: keyof Documents): URL =>
  new URL(`../../../../docs/${name === 'api' ? 'openapi' : name}.json`, import.meta.url);
const read = (name: keyof Documents): Contract => JSON.parse(readFileSync(fileOf(name), 'utf8')) as Contract;

/** Returns the documents of the last commit, which callers and client generators use. */
export const committed = (): Documents => ({ api: read('api'), webhooks: read('webhooks') });

/** Writes new documents. */
export function commit(documents: Documents): void {
  for (const name of ['api', 'webhooks'] as const)
    writeFileSync(fileOf(name), `${JSON.stringify(documents[name], null, 2)}\n`);
}
