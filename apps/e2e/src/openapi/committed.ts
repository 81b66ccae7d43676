import { readFileSync, writeFileSync } from 'node:fs';
import type { Contract } from './breaking-changes.js';

/** The API, and what is sent to others. */
export interface Documents {
  api: Contract;
  webhooks: Contract;
}

const fileOf = (name: keyof Documents): URL =>
  new URL(`../../../../docs/${name === 'api' ? 'openapi' : name}.json`, import.meta.url);
const read = (name: keyof Documents): Contract => JSON.parse(readFileSync(fileOf(name), 'utf8')) as Contract;

/** The documents of the last commit, as callers and generators of clients have them. */
export const committed = (): Documents => ({ api: read('api'), webhooks: read('webhooks') });

/** Replaces them. */
export function commit(documents: Documents): void {
  for (const name of ['api', 'webhooks'] as const)
    writeFileSync(fileOf(name), `${JSON.stringify(documents[name], null, 2)}\n`);
}
