import type { CursorStore } from '../../client/reading/cursor-ledger.js';

/**
 * The place in the queue, in a file. One that is half written when the power fails would be none:
 * it changes in one step.
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
