import path from 'node:path';

/** The root of the checkout: this file lies equally deep in `src/` and in `dist/`. */
export const REPOSITORY = path.resolve(import.meta.dirname, '../../../..');
