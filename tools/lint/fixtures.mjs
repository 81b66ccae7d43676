/**
 * Proves that the rules fire. A wrong pattern silences a rule without a word, so each file of
 * tools/lint-fixture must fail with the rule that it names. Its first line: `// as <path>: <rule>`.
 * It is linted as if that file, which exists, had this content.
 */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ESLint } from 'eslint';

/**
 * @param {string} root
 * @returns {Promise<{ count: number, problems: string[] }>}
 */
export async function checkFixtures(root) {
  const folder = join(root, 'tools/lint-fixture');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts')).sort();
  const eslint = new ESLint({ cwd: root });
  const problems = await Promise.all(
    names.map((name) => checkFixture(eslint, root, join(folder, name), name)),
  );
  return { count: names.length, problems: problems.flat() };
}

async function checkFixture(eslint, root, path, name) {
  const code = await readFile(path, 'utf8');
  const [, file, expected] = /^\/\/ as (\S+): (\S+)\n/.exec(code) ?? [];
  if (!expected) return [`${name}: its first line must be "// as <path>: <rule>"`];
  const [result] = await eslint.lintText(code, { filePath: join(root, file) });
  const fired = [
    ...new Set(
      result.messages.filter(({ severity }) => severity === 2).map(({ ruleId }) => ruleId ?? 'a parse error'),
    ),
  ];
  if (expected === 'nothing') return fired.map((rule) => `${name}: ${rule} must not fire in ${file}`);
  return fired.includes(expected)
    ? []
    : [`${name}: ${expected} must fire in ${file}, but ${fired.join(', ') || 'nothing'} did`];
}
