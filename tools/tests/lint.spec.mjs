import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { documentPathProblems, headingsOf } from '../lint/document-paths.mjs';
import { houseRuleProblems } from '../lint/house-rules.mjs';
import { importCycles } from '../lint/import-cycles.mjs';
import { libDependencyProblems } from '../lint/lib-dependencies.mjs';
import { ownFiles } from '../lint/sources.mjs';
import { statementFileProblems } from '../lint/statements.mjs';
import { unusedExportProblems } from '../lint/unused-exports.mjs';
import { temporaryFolder } from './node-script.mjs';

let root;

beforeEach(async () => {
  root = await temporaryFolder();
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

/** @param {Record<string, string>} files */
async function lay(files) {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return ownFiles(root);
}

describe('import cycles', () => {
  it('are found over relative imports, type imports included', async () => {
    const files = await lay({
      'libs/a/src/one.ts': `import { two } from './two.js';`,
      'libs/a/src/two.ts': `import type { Three } from './deep/three.js';`,
      'libs/a/src/deep/three.ts': `export { one } from '../one.js';`,
      'libs/a/src/apart.ts': `import { one } from './one.js';`,
    });
    const cycles = await importCycles(root, files);
    expect(cycles.map((cycle) => [...cycle].sort())).toEqual([
      ['libs/a/src/deep/three.ts', 'libs/a/src/one.ts', 'libs/a/src/two.ts'],
    ]);
  });

  it('are found through a package name', async () => {
    const files = await lay({
      'libs/a/package.json': JSON.stringify({
        name: '@tieline/a',
        exports: { './part': { '@tieline/source': './src/part/index.ts' } },
      }),
      'libs/a/src/part/index.ts': `export { inner } from './inner.js';`,
      'libs/a/src/part/inner.ts': `import { other } from '@tieline/a/part';`,
    });
    expect(await importCycles(root, files)).toHaveLength(1);
  });

  it('are not seen where a file is only imported twice', async () => {
    const files = await lay({
      'libs/a/src/one.ts': `import './two.js'; import './three.js';`,
      'libs/a/src/two.ts': `import './three.js';`,
      'libs/a/src/three.ts': '',
    });
    expect(await importCycles(root, files)).toEqual([]);
  });
});

describe('dependencies of libs', () => {
  const manifest = (...dependencies) =>
    JSON.stringify({
      name: '@tieline/a',
      dependencies: Object.fromEntries(dependencies.map((one) => [one, '*'])),
    });

  it('are what the sources import, tests apart', async () => {
    const files = await lay({
      'libs/a/package.json': manifest('@tieline/b', 'pg'),
      'libs/a/src/one.ts': `import type { B } from '@tieline/b/part';\nimport { a } from '@tieline/a';`,
      'libs/a/src/one.spec.ts': `import { c } from '@tieline/c';`,
      'libs/a/src/testing/index.ts': `import { c } from '@tieline/c';`,
    });
    expect(await libDependencyProblems(root, files)).toEqual([]);
  });

  it('that are missing or left over are found', async () => {
    const files = await lay({
      'libs/a/package.json': manifest('@tieline/b'),
      'libs/a/src/one.ts': `export { c } from '@tieline/c';`,
    });
    expect(await libDependencyProblems(root, files)).toEqual([
      'libs/a/package.json: imports @tieline/c: add it to "dependencies"',
      'libs/a/package.json: imports nothing of @tieline/b: take it out of "dependencies"',
    ]);
  });
});

describe('unused exports', () => {
  const files = {
    'libs/a/package.json': JSON.stringify({
      name: '@tieline/a',
      exports: { '.': { '@tieline/source': './src/index.ts' } },
    }),
    'libs/a/src/index.ts': `export { one, two } from './one.js';\nexport type { Three } from './one.js';\n`,
    'libs/a/src/one.ts': [
      'export const one = 1;',
      'export function two(): Three {}',
      'export interface Three {}',
      'export const four = 4;',
      'export async function five() {}',
      'export interface Six {}',
    ].join('\n'),
    'libs/a/src/user.ts': `import { two } from './one.js';`,
    'libs/b/src/user.ts': `import { one } from '@tieline/a';`,
  };

  it('are constants and functions of one file, and names in an index that no importer uses', async () => {
    expect(await unusedExportProblems(root, await lay(files))).toEqual([
      'libs/a/src/index.ts: no file imports two from here',
      'libs/a/src/index.ts: no file imports Three from here',
      'libs/a/src/one.ts: no other file uses four, so do not export it',
      'libs/a/src/one.ts: no other file uses five, so do not export it',
    ]);
  });

  it('are not those of the SDK', async () => {
    const sdk = await lay({ 'libs/sdk/src/index.ts': `export { sign } from './sign.js';` });
    expect(await unusedExportProblems(root, sdk)).toEqual([]);
  });
});

describe('statements', () => {
  it('and entities are handed to the test of their lib', async () => {
    const files = await lay({
      'libs/a/src/deep/one.statements.ts': `export const ONE = statement('ones.find', 'SELECT 1', {});`,
      'libs/a/src/two.statements.ts': '',
      'libs/a/src/statements.int-spec.ts': `import * as one from './deep/one.statements.js';`,
      'libs/b/src/three.statements.ts': '',
      'libs/b/src/three.entity.ts': '',
    });
    expect(await statementFileProblems(root, files)).toEqual([
      'libs/a/src/two.statements.ts: libs/a/src/statements.int-spec.ts does not import it, so nothing checks it',
      'libs/b/src/three.entity.ts: libs/b/src/statements.int-spec.ts does not import it, so nothing checks it',
      'libs/b/src/three.statements.ts: libs/b/src/statements.int-spec.ts does not import it, so nothing checks it',
    ]);
  });

  it('are declared where SQL reads or writes rows', async () => {
    const files = await lay({
      'libs/a/src/plain.ts': 'await tx.query(\n  `DELETE FROM bots WHERE id = $1`, [id]);',
      'libs/a/src/manager.ts': "await tx.manager.query('SELECT 1');",
      'libs/a/src/lock.ts': "await tx.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);",
      'libs/a/src/testing/fixture.ts': "await db.query('UPDATE bots SET name = $1', ['a']);",
    });
    expect(await statementFileProblems(root, files)).toEqual([
      'libs/a/src/manager.ts: SQL goes through query(), not through the manager',
      'libs/a/src/plain.ts: SQL that reads or writes rows is declared in a *.statements.ts',
    ]);
  });

  it('have names of their own', async () => {
    const files = await lay({
      'libs/a/src/one.ts': `statement('ones.find', 'SELECT 1')`,
      'libs/b/src/two.ts': `statement(\n  'ones.find',\n  'SELECT 2')`,
    });
    expect(await statementFileProblems(root, files)).toEqual([
      'two statements are named ones.find: libs/a/src/one.ts, libs/b/src/two.ts',
    ]);
  });

  it('have names of one form', async () => {
    const files = await lay({
      'libs/a/src/names.ts':
        "statement('ones.usage', ''); statement('ones', ''); statement(`${table}.find_one`, '');",
    });
    expect(await statementFileProblems(root, files)).toEqual([
      'libs/a/src/names.ts: ones.usage is not a name such as bots.find_token',
      'libs/a/src/names.ts: ones is not a name such as bots.find_token',
    ]);
  });
});

describe('house rules', () => {
  const SPEC = { 'libs/a/src/a.spec.ts': '' };

  it.each([
    ['libs/a/src/string-utils.ts', '', 'name it after what it does'],
    ['libs/a/src/common/dates.ts', '', 'name it after what it does'],
    ['libs/a/src/dto/index.ts', '', 'no barrel inside a lib'],
    ['docs/plan.md', 'TO' + 'DO', 'marks work as unfinished'],
    [
      'libs/a/src/room/room.settings.ts',
      "export class RoomSettings extends settings('Rooms', {}) {}",
      'settings are declared in libs/<lib>/src/<lib>.settings.ts',
    ],
    [
      'libs/a/src/a.module.ts',
      "class RoomSettings extends settings('Rooms', {}) {}",
      'settings are declared in libs/<lib>/src/<lib>.settings.ts',
    ],
    ['heap.heapsnapshot', '{}', 'a recording of a process does not belong here'],
    ['apps/api/isolate-0x1-8-v8.log', '', 'a recording of a process does not belong here'],
  ])('refuse %s', async (path, content, problem) => {
    const problems = await houseRuleProblems(root, await lay({ ...SPEC, [path]: content }));
    expect(problems).toEqual([`${path}: ${problem}`]);
  });

  it('refuse a lib without tests', async () => {
    expect(await houseRuleProblems(root, await lay({ 'libs/a/src/index.ts': '' }))).toEqual([
      'libs/a: has no tests',
    ]);
  });

  it('allow what AGENTS.md asks for', async () => {
    const files = await lay({
      ...SPEC,
      'libs/a/src/index.ts': '',
      'libs/a/src/a.settings.ts': "export class ASettings extends settings('A', {}) {}",
      'libs/platform/src/http/index.ts': '',
      'libs/platform/src/http/database-url.spec.ts': '',
    });
    expect(await houseRuleProblems(root, files)).toEqual([]);
  });
});

describe('documents', () => {
  it('name files that are there', async () => {
    const files = await lay({
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
    const files = await lay({
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
