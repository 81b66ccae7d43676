import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { commitProblems } from '../lint/commits.mjs';
import { proseProblems } from '../lint/documents.mjs';
import { temporaryFolder } from './node-script.mjs';

describe('documents', () => {
  it('name files that are there', async () => {
    const root = await temporaryFolder();
    const files = {
      'libs/a/src/room/write.ts': '',
      'docs/guide.md': [
        '`libs/a/src/room/write.ts`, `a/room/write.ts`, `write.ts`, [a page](../libs/a), `libs/<noun>/x.ts`',
        '`libs/a/src/write.ts`, `a/write.ts`, `read.ts`, [a page](page.md), [elsewhere](https://example.com/x.md)',
      ].join('\n'),
    });
    expect(await documentPathProblems(root, files)).toEqual([
      'docs/guide.md: there is no libs/a/src/write.ts',
      'docs/guide.md: there is no docs/page.md',
      'docs/guide.md: there is no a/write.ts',
      'docs/guide.md: there is no read.ts',
    ]);
  });

  it('must have the headings that links and comments name', async () => {
    const root = await temporaryFolder();
    const files = {
      'docs/page.md': '# Page\n\n## Limits of `x` & more\n\n## Again\n\n## Again\n',
      'docs/guide.md': '[a](page.md#limits-of-x--more) [b](page.md#gone) [c](#gone) [d](page.md#again-1)\n',
      'libs/a/src/a.ts': '/** See docs/page.md#again, docs/page.md#lost and docs/none.md. */\n',
    });
    expect(await documentPathProblems(root, files)).toEqual([
      'docs/guide.md: there is no docs/page.md#gone',
      'docs/guide.md: there is no docs/guide.md#gone',
      'libs/a/src/a.ts: there is no docs/page.md#lost',
      'libs/a/src/a.ts: there is no docs/none.md',
    ]);
  });

  it('make anchors as GitHub does', () => {
    expect([...headingsOf('# Ä `b_c` (d)\n\n```sh\n# no heading\n```\n## [Link](x.md) – 2\n')]).toEqual([
      'ä-b_c-d',
      'link--2',
    ]);
  });
});

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
