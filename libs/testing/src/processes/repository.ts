import path from 'node:path';

/** Root of the repository. The relative path is the same from `src/` and `dist/`. */
export const REPOSITORY = path.resolve(import.meta.dirname, '../../../..');
