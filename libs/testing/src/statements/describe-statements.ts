import { createTestDatabase } from '../servers/test-database.js';
import { statementProblems } from './statement-problems.js';

/**
 * Defines the test of a lib's statements: each must be valid on the migrated schema and return what
 * it declares. Call it in `src/statements.int-spec.ts` with every `*.statements.ts` of the lib.
 *
 * @param modules `import * as … from './<noun>.statements.js'`
 */
export function describeStatements(...modules: readonly object[]): void {
  test('every statement returns what it declares', async () => {
    const database = await createTestDatabase();
    try {
      expect(await statementProblems(database.url, modules)).toEqual([]);
    } finally {
      await database.drop();
    }
  });
}
