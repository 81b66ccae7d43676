import { fileURLToPath } from 'node:url';
import { readScopes, withScopes } from '../scopes-page.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

it('docs/scopes.md has the scope of every endpoint (`npm run docs:api`)', async () => {
  const { page, document } = await readScopes(ROOT);
  expect(page).toBe(withScopes(page, document));
  expect(page).toContain('| `POST /api/v1/bot/messages` | `messages:write` |');
  expect(page).toContain('| `GET /api/v1/bot/me` | none |');
});

it('every operation for bots or people names a known scope', async () => {
  const { document } = await readScopes(ROOT);
  const known = [...Object.keys(document['x-scopes']), 'none', 'all'];
  for (const [path, operations] of Object.entries(document.paths))
    for (const operation of Object.values(operations)) {
      const callers = (operation.security ?? []).flatMap(({ token = [] }) => token);
      const isLimited = callers.includes('bot') || callers.includes('person');
      const { operationId, 'x-scope': scope } = operation;
      expect([path, operationId, known.includes(scope)]).toEqual([path, operationId, isLimited]);
    }
});
