import { createTestDatabase } from '../servers/test-database.js';
import { statementProblems } from './statement-problems.js';

/**
 * The test of a lib's statements: each is valid on the migrated schema and returns what it
 * declares. In `src/statements.int-spec.ts`, with every `*.statements.ts` of the lib.
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
