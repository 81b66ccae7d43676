/** A document that sends its reader to a file that has moved is worse than none. */
import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

/** A place in the checkout; names to be filled in (`<noun>`, `NNNN`, `*`) are left alone. */
const NAMED = /`((?:apps|libs|tools|docs|docker|examples)\/[\w./@-]+)`/g;
/**
 * A source file, as short as it is still found: `run-in-tx.ts`, `platform/database/run-in-tx.ts`.
 */
const SOURCE = /`([\w./-]+\.(?:ts|mjs|sql))`/g;
const LINKED = /\]\((?!https?:|#|mailto:)([^)#\s]+)/g;

/**
 * @param {string} root
 * @param {string[]} files paths from the root
 * @returns {Promise<string[]>} one sentence per path that does not exist
 */
export async function documentPathProblems(root, files) {
  const known = new Set(files.flatMap((file) => [file, ...foldersOf(file)]));
  const ends = new Set(files.flatMap(endsOf));
  const documents = files.filter((file) => file.endsWith('.md') && !file.startsWith('tools/new-lib/'));
  const problems = await Promise.all(
    documents.map(async (document) => {
      const text = await readFile(join(root, document), 'utf8');
      const named = [...text.matchAll(NAMED)].map(([, path]) => path);
      const linked = [...text.matchAll(LINKED)].map(([, path]) => normalize(join(dirname(document), path)));
      const sources = [...text.matchAll(SOURCE)].map(([, path]) => path);
      const lost = [
        ...[...named, ...linked].map((path) => path.replace(/\/+$/, '')).filter((path) => !known.has(path)),
        ...sources.filter((path) => !ends.has(path)),
      ];
      return [...new Set(lost)]
        .filter((path) => path !== '.' && !/NNNN|noun/.test(path))
        .map((path) => `${document}: there is no ${path}`);
    }),
  );
  return problems.flat();
}

function foldersOf(file) {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Every end of a path from a segment on; in a lib without `src/`. */
function endsOf(file) {
  return [file, file.replace(/^libs\/([^/]+)\/src\//, '$1/')].flatMap((path) => {
    const parts = path.split('/');
    return parts.map((_, index) => parts.slice(index).join('/'));
  });
}
