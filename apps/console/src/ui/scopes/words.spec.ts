import { readFile } from 'node:fs/promises';
import { scopeWords } from './words.js';

it('every scope is described in the words of docs/scopes.md', async () => {
  const text = await readFile(new URL('../../../../../docs/scopes.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `([a-z:.]+)` +\| ([^|]+?) +\|/gm)].map(([, name, words]) => [
    name,
    words,
  ]);
  expect(rows.length).toBeGreaterThan(10);
  expect(Object.fromEntries(rows)).toMatchObject(scopeWords.en);
  expect(Object.keys(scopeWords.en).sort()).toEqual(rows.map(([name]) => name).sort());
});
