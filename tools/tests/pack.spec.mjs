/**
 * The SDK and the command line as others install them: every entry loads, the types say what it
 * does, and a new bot is begun with them.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { pack, packCli } from '../pack.mjs';

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
  expect(await faultsOf(folder, 'bot.ts')).toBe('');
});

/** Returns the compiler's errors for a file. */
async function faultsOf(cwd, file) {
  const compiler = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
  const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node', '--allowJs'];
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', ...types];
  return run(process.execPath, [compiler, ...options, file], { cwd }).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
}

describe('the command line, in an empty folder', () => {
  let place;
  const tieline = (argv, env = {}) =>
    run(join(place, 'node_modules/.bin/tieline'), argv, {
      cwd: place,
      env: { PATH: process.env.PATH, HOME: place, ...env },
    }).catch((error) => error);

  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'tieline-cli-'));
    const file = await packCli(place);
    await writeFile(join(place, 'package.json'), '{ "private": true }');
    // Files at the place where a checkout has its tools belong to someone else.
    await mkdir(join(place, 'tools'));
    await writeFile(join(place, 'tools/build.mjs'), 'throw new Error("not mine")');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', file], { cwd: place });
  });
  afterAll(() => rm(place, { recursive: true, force: true }));

  test('is there, with all that it needs inside', async () => {
    expect((await tieline(['--help'])).stdout).toContain('dev [options] [folder]');
    expect((await readdir(join(place, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
      'tieline',
    ]);
  });

  test.each([
    ['javascript', 'bot.mjs'],
    ['typescript', 'bot.ts'],
  ])('begins a bot in %s that the compiler has nothing against', async (language, file) => {
    await tieline(['bot', 'init', language, '--language', language]);
    const own = join(place, language);
    expect(await faultsOf(own, file)).toBe('');
    const { dependencies } = JSON.parse(await readFile(join(own, 'package.json'), 'utf8'));
    expect(dependencies['@tieline/sdk']).toBe(
      `file:${join(place, 'node_modules/tieline/node_modules/@tieline/sdk')}`,
    );
  });

  test('the bot runs as soon as it is told where, and says so', async () => {
    const ended = await run(process.execPath, ['bot.mjs'], { cwd: join(place, 'javascript'), env: {} }).catch(
      (error) => error,
    );
    expect(ended.stderr).toContain('TIELINE_TOKEN');
  });

  test('says what `dev` needs where Tieline itself is not there', async () => {
    expect(await tieline(['dev', 'javascript'])).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/does not bring along[^]*TIELINE_HOME/),
    });
    const wrong = await tieline(['dev'], { TIELINE_HOME: place });
    expect(wrong).toMatchObject({ code: 4, stderr: expect.stringContaining('no checkout of Tieline') });
  });
});
