import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('../../../../docs/openapi.json', import.meta.url);

/** The document of the last commit, as callers and generators of clients have it. */
export const committed = (): object => JSON.parse(readFileSync(FILE, 'utf8')) as object;

/** Replaces it. */
export function commit(document: object): void {
  writeFileSync(FILE, `${JSON.stringify(document, null, 2)}\n`);
}
