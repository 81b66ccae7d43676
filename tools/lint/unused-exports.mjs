/**
 * Exports that no other file uses: constants and functions, and every name in the index of a lib.
 * Types and classes may be exported for the signatures in which they occur. The SDK is left out,
 * because its users are elsewhere.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageEntryPoints } from './import-cycles.mjs';

const VALUE = /^export (?:async )?(?:const|function\*?) ([\w$]+)/gm;
const LISTED = /^export (?:type )?\{([^}]*)\} from/gm;

/**
 * @param {string} root
 * @param {string[]} files paths from the root
 * @returns {Promise<string[]>} one sentence per problem
 */
export async function unusedExportProblems(root, files) {
  const sources = files.filter((file) => /\.(tsx?|m?js)$/.test(file));
  /** @type {Map<string, string>} */
  const texts = new Map();
  for (const file of sources) texts.set(file, await readFile(join(root, file), 'utf8'));
  const users = usersOf(texts);
  const isUsed = (name, file, isUser = (_text) => true) =>
    users.get(name).some((user) => user !== file && isUser(texts.get(user)));
  const specifiers = new Map(
    [...(await packageEntryPoints(root, files))].map(([specifier, file]) => [file, `'${specifier}'`]),
  );
  return sources
    .filter((file) => /^(apps|libs)\//.test(file) && !file.startsWith('libs/sdk/'))
    .flatMap((file) => [
      ...valuesOf(texts.get(file))
        .filter((name) => !isUsed(name, file))
        .map((name) => `${file}: no other file uses ${name}, so do not export it`),
      ...namesListedIn(file, texts.get(file))
        .filter((name) => !isUsed(name, file, (text) => importsIndex(text, specifiers.get(file))))
        .map((name) => `${file}: no file imports ${name} from here`),
    ]);
}

/** Returns the files in which each word occurs. */
function usersOf(texts) {
  const users = new Map();
  for (const [file, text] of texts)
    for (const word of new Set(text.match(/[A-Za-z_$][\w$]*/g)))
      users.get(word)?.push(file) ?? users.set(word, [file]);
  return users;
}

const valuesOf = (text) => [...text.matchAll(VALUE)].map(([, name]) => name);

/** Returns the names that an index exports from other files. */
const namesListedIn = (file, text) =>
  file.endsWith('/index.ts')
    ? [...text.matchAll(LISTED)].flatMap(([, list]) => list.match(/[\w$]+(?=\s*(?:,|$))/g) ?? [])
    : [];

/** Whether a file imports an index, by its package or by a path. */
const importsIndex = (text, specifier) =>
  (specifier !== undefined && text.includes(specifier)) || /index\.js['"]/.test(text);
