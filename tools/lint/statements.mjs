/** Statements: every file of them is checked by its lib's test, and a name stands for one statement in the whole program. */
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/**
 * @param {string} root
 * @param {string[]} files paths from the root
 * @returns {Promise<string[]>} one sentence per problem
 */
export async function statementFileProblems(root, files) {
  const sources = files.filter((file) => /^libs\/.*\.ts$/.test(file) && !/spec\.ts$/.test(file));
  const unchecked = await Promise.all(
    sources.filter((file) => file.endsWith('.statements.ts')).map((file) => uncheckedProblems(root, file)),
  );
  return [...unchecked.flat(), ...(await sharedNames(root, sources))];
}

async function uncheckedProblems(root, file) {
  const src = /^libs\/[^/]+\/src/.exec(file)[0];
  const test = `${src}/statements.int-spec.ts`;
  const imported = `'./${relative(src, file).replace(/\.ts$/, '.js')}'`;
  const text = await readFile(join(root, test), 'utf8').catch(() => '');
  return text.includes(imported) ? [] : [`${file}: ${test} does not import it, so nothing checks it`];
}

async function sharedNames(root, sources) {
  const owners = new Map();
  for (const file of sources) {
    const text = await readFile(join(root, file), 'utf8');
    for (const [, name] of text.matchAll(/\bstatement\(\s*['"`]([^'"`]+)['"`]/g))
      owners.set(name, [...(owners.get(name) ?? []), file]);
  }
  return [...owners]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => `two statements are named ${name}: ${places.join(', ')}`);
}
