/**
 * Statements and entities: every file of them is checked by its lib's test, names have one form,
 * and a name stands for one statement in the whole program.
 */
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

const VERBS =
  'accept|add|advance|answer|append|apply|attach|await|begin|cancel|check|claim|clear|close|confirm|consume|count|cover|delete|draw|drop|end|' +
  'ensure|expire|fail|fetch|find|finish|free|grant|hold|insert|issue|kill|lease|list|load|lock|log|mark|move|note|notify|open|' +
  'pin|plan|postpone|post|prolong|read|record|refund|register|release|remove|renew|replace|reset|resume|save|set|settle|start|store|sum|sweep|take|' +
  'touch|trim|update|use|vote|withdraw|write';
const STATEMENT = /\bstatement\(\s*['"`]([^'"`]+)['"`]/g;
const NAME = new RegExp(`^[a-z]+(_[a-z]+)*\\.(${VERBS})(_[a-z]+)*$`);

/**
 * @param {string} root
 * @param {string[]} files paths from the root
 * @returns {Promise<string[]>} one sentence per problem
 */
export async function statementFileProblems(root, files) {
  const sources = files.filter((file) => /^libs\/.*\.ts$/.test(file) && !/spec\.ts$/.test(file));
  const unchecked = await Promise.all(
    sources
      .filter((file) => /\.(statements|entity)\.ts$/.test(file))
      .map((file) => uncheckedProblems(root, file)),
  );
  const plain = await Promise.all(sources.map((file) => plainProblems(root, file)));
  const names = await Promise.all(sources.map((file) => nameProblems(root, file)));
  return [...unchecked.flat(), ...plain.flat(), ...names.flat(), ...(await sharedNames(root, sources))];
}

async function nameProblems(root, file) {
  const text = await readFile(join(root, file), 'utf8');
  return [...text.matchAll(STATEMENT)]
    .filter(([, name]) => !NAME.test(name.replace(/\$\{.*?\}/g, 'x')))
    .map(([, name]) => `${file}: ${name} is not a name such as bots.find_token`);
}

async function uncheckedProblems(root, file) {
  const [src = ''] = /^libs\/[^/]+\/src/.exec(file) ?? [];
  const test = `${src}/statements.int-spec.ts`;
  const imported = `'./${relative(src, file).replace(/\.ts$/, '.js')}'`;
  const text = await readFile(join(root, test), 'utf8').catch(() => '');
  return text.includes(imported) ? [] : [`${file}: ${test} does not import it, so nothing checks it`];
}

// Tests, and what works on tables that are named at run time.
const FREE = /\/testing\/|^libs\/testing\/|^libs\/(partitions\/src|transfer\/src|platform\/src\/database)\//;
const PLAIN = /\.query\(\s*(['"`])((?:(?!\1)[^])*)\1/g;

/**
 * SQL at the call may lock, set or define something; what reads or writes rows is declared or goes
 * through the manager.
 */
async function plainProblems(root, file) {
  if (FREE.test(file)) return [];
  const text = await readFile(join(root, file), 'utf8');
  const plain = [...text.matchAll(PLAIN)].some(([, , sql]) => /\b(?:FROM|INTO|UPDATE)\s+[a-z$]/.test(sql));
  return [
    ...(plain ? [`${file}: SQL that reads or writes rows is declared in a *.statements.ts`] : []),
    ...(/\bmanager\.query\(/.test(text)
      ? [`${file}: SQL goes through query(), not through the manager`]
      : []),
  ];
}

async function sharedNames(root, sources) {
  const owners = new Map();
  for (const file of sources) {
    const text = await readFile(join(root, file), 'utf8');
    for (const [, name] of text.matchAll(STATEMENT)) owners.set(name, [...(owners.get(name) ?? []), file]);
  }
  return [...owners]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => `two statements are named ${name}: ${places.join(', ')}`);
}
