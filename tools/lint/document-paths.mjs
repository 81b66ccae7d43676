/** Links and paths in documents, and the headings that comments cite, must exist. */
import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

/** A place in the checkout; names to be filled in (`<noun>`, `NNNN`, `*`) are left alone. */
const NAMED = /`((?:apps|libs|tools|docs|docker|examples)\/[\w./@-]+)`/g;
/**
 * A source file by any unambiguous end of its path: `run-in-tx.ts`,
 * `platform/database/run-in-tx.ts`.
 */
const SOURCE = /`([\w./-]+\.(?:ts|mjs|sql))`/g;
const LINKED = /\]\((?!https?:|#|mailto:)([^)#\s]+)/g;
const LINKED_HEADING = /\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g;
/** In comments and texts of sources: a page of docs/, with `#` and a heading. */
const CITED = /\b(docs\/[\w./-]+\.md)(?:#([\w-]+))?/g;

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
  return [...problems.flat(), ...(await headingProblems(root, files, documents))];
}

async function headingProblems(root, files, documents) {
  const headings = new Map(
    await Promise.all(
      documents.map(async (path) => [path, headingsOf(await readFile(join(root, path), 'utf8'))]),
    ),
  );
  const missing = (path, heading) =>
    headings.has(path) ? heading !== undefined && !headings.get(path).has(heading) : path.endsWith('.md');
  const problemsIn = async (file, targetsOf) => {
    const lost = targetsOf(await readFile(join(root, file), 'utf8'))
      .filter(([path, heading]) => missing(path, heading))
      .map(([path, heading]) => `${file}: there is no ${[path, heading].filter(Boolean).join('#')}`);
    return [...new Set(lost)];
  };
  const linkedFrom = (document) => (text) =>
    [...text.matchAll(LINKED_HEADING)]
      .map(([, path, heading]) => [path ? normalize(join(dirname(document), path)) : document, heading])
      .filter(([path]) => path.endsWith('.md'));
  const cited = (text) => [...text.matchAll(CITED)].map(([, path, heading]) => [path, heading]);
  const sources = files.filter(
    (file) => /\.(tsx?|mjs|py|ya?ml|sql|json)$/.test(file) && !/spec\.|^docs\/|^tools\/new-lib\//.test(file),
  );
  const problems = await Promise.all([
    ...documents.map((document) => problemsIn(document, linkedFrom(document))),
    ...sources.map((source) => problemsIn(source, cited)),
  ]);
  return problems.flat();
}

/** @returns {Set<string>} the anchors that GitHub makes of a document's headings */
export function headingsOf(text) {
  const anchors = new Set();
  for (const [, heading] of text.replace(/```[\s\S]*?```/g, '').matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/<[^>]*>/g, '');
    const slug = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replace(/ /g, '-');
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n += 1) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  for (const [, id] of text.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id);
  return anchors;
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
