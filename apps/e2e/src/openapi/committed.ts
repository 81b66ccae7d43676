import { readFileSync, writeFileSync } from 'node:fs';
import type { Contract } from './breaking-changes.js';

const FILE = new URL('../../../../docs/openapi.json', import.meta.url);

/** The document of the last commit, as callers and generators of clients have it. */
export const committed = (): Contract => JSON.parse(readFileSync(FILE, 'utf8')) as Contract;

/** Replaces it. */
export function commit(document: object): void {
  writeFileSync(FILE, `${JSON.stringify(document, null, 2)}\n`);
}
