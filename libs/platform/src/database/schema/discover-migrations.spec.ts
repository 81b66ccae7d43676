import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { discoverMigrations } from './discover-migrations.js';

let libs: string;

beforeEach(async () => {
  libs = await mkdtemp(path.join(tmpdir(), 'tieline-libs-'));
});
afterEach(() => rm(libs, { recursive: true, force: true }));

async function lay(
  lib: string,
  dependencies: string[],
  migrations: string[] = ['0001-first'],
): Promise<void> {
  const folder = path.join(libs, lib, 'src/migrations');
  await mkdir(folder, { recursive: true });
  const names = dependencies.map((name) => [`@tieline/${name}`, '*']);
  await writeFile(
    path.join(libs, lib, 'package.json'),
    JSON.stringify({ dependencies: { pg: '8.0.0', ...Object.fromEntries(names) } }),
  );
  for (const name of migrations) await writeFile(path.join(folder, `${name}.sql`), `SELECT '${lib}/${name}'`);
}

async function order(): Promise<string[]> {
  return (await discoverMigrations(libs)).map(({ lib, name }) => `${lib}/${name}`);
}

test('a lib comes after its direct and indirect dependencies; otherwise the name decides', async () => {
  await lay('apples', ['middle']);
  await lay('middle', ['zebras'], []);
  await lay('zebras', ['kernel'], ['0002-second', '0001-first']);
  await lay('kernel', []);
  await lay('bananas', ['kernel']);
  expect(await order()).toEqual([
    'kernel/0001-first',
    'zebras/0001-first',
    'zebras/0002-second',
    'apples/0001-first',
    'bananas/0001-first',
  ]);
});

test('circular dependencies are refused', async () => {
  await lay('a', ['b']);
  await lay('b', ['a']);
  await expect(order()).rejects.toThrow('libs depend on each other: a → b → a');
});

test('ignores a folder that is not a lib', async () => {
  await lay('a', []);
  await mkdir(path.join(libs, 'left-over/dist'), { recursive: true });
  expect(await order()).toEqual(['a/0001-first']);
});

test('a migration declares which programs work with it', async () => {
  await lay('a', [], ['0001-first', '0002-more']);
  await writeFile(
    path.join(libs, 'a/src/migrations/0002-more.sql'),
    '-- A column with a default.\n-- works with: a/0001-first\nSELECT 1;\n',
  );
  expect((await discoverMigrations(libs)).map(({ worksWith }) => worksWith)).toEqual([
    undefined,
    'a/0001-first',
  ]);
});

test.each(['a/0001-frist', 'a/0002-more'])(
  'refuses a migration that works with programs that know %s, which is not an earlier one',
  async (worksWith) => {
    await lay('a', [], ['0001-first', '0002-more']);
    await writeFile(path.join(libs, 'a/src/migrations/0002-more.sql'), `-- works with: ${worksWith}\n`);
    await expect(discoverMigrations(libs)).rejects.toThrow(`works with ${worksWith}`);
  },
);
