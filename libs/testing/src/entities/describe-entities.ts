import { createTestDatabase } from '../servers/test-database.js';
import { entityProblems } from './entity-problems.js';

/**
 * Defines the test of a lib's entities: each must match its table on the migrated schema, column by
 * column. Call it in `src/statements.int-spec.ts` with every `*.entity.ts` of the lib.
 */
export function describeEntities(...entities: readonly Function[]): void {
  test('every entity matches its table', async () => {
    const database = await createTestDatabase();
    try {
      expect(await entityProblems(database.url, entities)).toEqual([]);
    } finally {
      await database.drop();
    }
  });
}
