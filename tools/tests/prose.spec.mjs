import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { commitProblems } from '../lint/commits.mjs';
import { proseProblems } from '../lint/documents.mjs';
import { temporaryFolder } from './node-script.mjs';

describe('documents', () => {
  it('use the words of the trade and fit the screen, except code, tables and links', async () => {
    const long = 'word '.repeat(30);
    const root = await temporaryFolder();
    const files = {
      'docs/bad.md': `It is told anew.\n\n${long}\n`,
      'docs/good.md': `Use \`anew\`.\n\n\`\`\`\n${long} anew\n\`\`\`\n\n| ${long} |\n`,
      'sdk/a.py': 'anew = 1\n"""Reads it anew."""\n',
    };
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
    const problems = await proseProblems(root, Object.keys(files));
    await rm(root, { recursive: true, force: true });
    expect(problems).toEqual([
      'docs/bad.md: "anew" makes readers stumble: write again',
      'docs/bad.md: "is told" makes readers stumble: write "is notified", or name who tells',
      'docs/bad.md:3: over 120 columns',
      'sdk/a.py: "anew" makes readers stumble: write again',
    ]);
  });
});

describe('commit messages', () => {
  it.each([
    ['fix(delivery): release the lease when settling fails\n\nWhy.\n', []],
    ['Merge branch next', []],
    ['fix things', ['the subject is "type(scope): verb …", such as "fix(slash): refuse empty names"']],
    [`docs: ${'x'.repeat(70)}`, ['the subject has more than 72 characters']],
    ['feat(a): add one; add two', ['two changes are two commits: no ";" in the subject']],
    [
      'fix(a): added a test.',
      ['the verb is imperative: "add", not "added" or "adds"', 'the subject has no period'],
    ],
    ['fix(a): add\nbody', ['an empty line follows the subject']],
  ])('%j has the problems %j', (message, problems) => {
    expect(commitProblems(message)).toEqual(problems);
  });
});
