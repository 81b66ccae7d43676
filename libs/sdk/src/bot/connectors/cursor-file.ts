import type { CursorStore } from '../../client/reading/cursor-ledger.js';

/**
 * Stores the cursor in a file. Replaces the file atomically, so that a crash leaves no partial
 * cursor.
 */
export function cursorFile(path: string): CursorStore {
  return {
    load: async () => {
      const { readFile } = await import('node:fs/promises');
      return (await readFile(path, 'utf8').catch(absent)).trim();
    },
    save: async (cursor) => {
      const { rename, writeFile } = await import('node:fs/promises');
      await writeFile(`${path}.new`, cursor);
      await rename(`${path}.new`, path);
    },
  };
}

function absent(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}
