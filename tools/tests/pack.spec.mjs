/** The SDK as others install it: every entry loads, and its types say what it does. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { pack } from '../pack.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
let folder;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tieline-packed-'));
  const file = await pack(folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', file], { cwd: folder });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('it brings no package along, and no source', async () => {
  expect(await readdir(join(folder, 'node_modules'))).toEqual(expect.arrayContaining(['@tieline']));
  expect((await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
    '@tieline',
  ]);
  expect((await readdir(join(folder, 'node_modules/@tieline/sdk'))).sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist',
    'package.json',
  ]);
});

test('every entry loads', async () => {
  await writeFile(
    join(folder, 'entries.js'),
    `import { Bot } from '@tieline/sdk';
    import { sendMessage } from '@tieline/sdk/api';
    import { blocks } from '@tieline/sdk/blocks';
    import { Client } from '@tieline/sdk/client';
    import { verify } from '@tieline/sdk/signatures';
    new Bot({ token: 'tlb_x' }).click('deploy', () => undefined);
    console.log([sendMessage, blocks.section, Client, verify].map((one) => typeof one).join());`,
  );
  const { stdout } = await run(process.execPath, ['entries.js'], { cwd: folder });
  expect(stdout.trim()).toBe('function,function,function,function');
});

test('the compiler knows its types, and what they forbid', async () => {
  await writeFile(
    join(folder, 'bot.ts'),
    `import { Bot } from '@tieline/sdk';
    import { Client } from '@tieline/sdk/client';
    const bot = new Bot({ token: 'tlb_x' });
    bot.command('/deploy', async (ctx) => ctx.reply({ text: ctx.text }));
    // @ts-expect-error a token is a text
    export const client = new Client({ url: 'http://127.0.0.1:3000', token: 7 });`,
  );
  const compiler = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
  const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node'];
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', ...types];
  const { stdout } = await run(process.execPath, [compiler, ...options, 'bot.ts'], { cwd: folder });
  expect(stdout).toBe('');
});
