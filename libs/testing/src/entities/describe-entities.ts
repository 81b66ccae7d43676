import { createTestDatabase } from '../servers/test-database.js';
import { entityProblems } from './entity-problems.js';

/**
 * The test of a lib's entities: each is its table on the migrated schema, column by column. In
 * `src/statements.int-spec.ts`, with every `*.entity.ts` of the lib.
 */
export function describeEntities(...entities: readonly Function[]): void {
  test('every entity is its table', async () => {
    const database = await createTestDatabase();
    try {
      expect(await entityProblems(database.url, entities)).toEqual([]);
    } finally {
      await database.drop();
    }
  });
}
