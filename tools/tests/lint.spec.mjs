import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { documentPathProblems, headingsOf } from '../lint/document-paths.mjs';
import { houseRuleProblems } from '../lint/house-rules.mjs';
import { importCycles } from '../lint/import-cycles.mjs';
import { libDependencyProblems } from '../lint/lib-dependencies.mjs';
import { kernelProblems } from '../lint/kernel.mjs';
import { roomProblems } from '../lint/rooms.mjs';
import { shapeProblems } from '../lint/shape.mjs';
import { ownFiles } from '../lint/sources.mjs';
import { statementFileProblems } from '../lint/statements.mjs';
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

describe('statements', () => {
  it('and entities are handed to the test of their lib', async () => {
    const files = await lay({
      'libs/a/src/deep/one.statements.ts': `export const ONE = statement('one', 'SELECT 1', {});`,
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
      'libs/a/src/one.ts': `statement('same', 'SELECT 1')`,
      'libs/b/src/two.ts': `statement(\n  'same',\n  'SELECT 2')`,
    });
    expect(await statementFileProblems(root, files)).toEqual([
      'two statements are named same: libs/a/src/one.ts, libs/b/src/two.ts',
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

describe('the kernel', () => {
  it.each([
    ['const name = "slash";', 'slash'],
    ['// counts what the outbox holds', 'outbox'],
    ['export class AgentRun {}', 'AgentRun'],
  ])('must not say %s', async (content, word) => {
    const path = 'libs/platform/src/http/app.ts';
    const problems = await kernelProblems(root, await lay({ [path]: `${content}\n` }));
    expect(problems).toEqual([`${path}: platform names a feature (${word})`]);
  });

  it('may say what is no feature, and other libs may say anything', async () => {
    const files = await lay({
      'libs/platform/src/http/schemes.ts':
        '// the signature of Standard Webhooks: webhook-id, webhook-timestamp\n',
      'libs/slash/src/commands.ts': '// slash commands\n',
    });
    expect(await kernelProblems(root, files)).toEqual([]);
  });
});

describe('the shape', () => {
  it('refuses a long file and a full folder', async () => {
    const long = (lines) => `export function work() {\n${'  step();\n'.repeat(lines - 2)}}\n`;
    const names = Array.from({ length: 23 }, (_, n) => [`libs/a/src/room/f${n}.ts`, long(60)]);
    const files = await lay({ ...Object.fromEntries(names), 'libs/a/src/long.ts': long(301) });
    expect(await shapeProblems(root, files)).toEqual([
      'libs/a/src/long.ts: 301 lines, 300 at most',
      'libs/a/src/room: 23 names, about 20 at most: make rooms',
    ]);
  });

  it('allows short files, long specs and many migrations', async () => {
    const migrations = Array.from({ length: 30 }, (_, n) => [`libs/a/src/migrations/${n}.sql`, '']);
    const files = await lay({
      ...Object.fromEntries(migrations),
      'libs/a/src/a.spec.ts': '\n'.repeat(400),
    });
    expect(await shapeProblems(root, files)).toEqual([]);
  });
});

describe('rooms', () => {
  const controller = (path) =>
    `@Controller('api/v1/client')\nexport class Any {\n  @Post('${path}')\n  any() {}\n}\n`;

  it('what belongs to one of something has a folder', async () => {
    const files = await lay({
      'libs/chat/src/members/members.client-controller.ts': controller('chats/:id/members/:member_id'),
      'libs/chat/src/chats.client-controller.ts': controller('chats/:id/members'),
      'libs/chat/src/chats.controller.ts': controller('chats/:id/join'),
    });
    expect(await roomProblems(root, files)).toEqual([
      'api/v1/client/chats/:id/members: libs/chat/src/chats.client-controller.ts is not in a folder members/',
    ]);
  });

  it('an endpoint is found by a noun of its URL', async () => {
    const files = await lay({
      'libs/chat/src/clicks/modals.client-controller.ts': controller('modals/:token/submit'),
      'libs/chat/src/clicks/clicks.client-controller.ts': controller('push_keys'),
    });
    expect(await roomProblems(root, files)).toEqual([
      'api/v1/client/push_keys: no noun of it stands in libs/chat/src/clicks/clicks.client-controller.ts',
    ]);
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
