import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { node, script, temporaryFolder } from './node-script.mjs';

let project;

beforeEach(async () => {
  project = await temporaryFolder();
  await mkdir(join(project, 'src/migrations'), { recursive: true });
  await writeFile(join(project, 'src/one.ts'), 'export const one: number = 1;\n');
  await writeFile(join(project, 'src/one.spec.ts'), 'test();\n');
  await writeFile(join(project, 'src/migrations/0001-first.sql'), 'SELECT 1;\n');
});

afterEach(async () => {
  await rm(project, { recursive: true, force: true });
});

async function build() {
  const run = node(['tools/build.mjs', project]);
  const { code } = await run.ended;
  return { code, output: run.output() };
}

it('compiles sources with maps, lays migrations beside them and leaves tests out', async () => {
  expect((await build()).output).toContain('2 files compiled');
  expect((await readdir(join(project, 'dist'))).sort()).toEqual([
    '.build.json',
    'migrations',
    'one.js',
    'one.js.map',
  ]);
  expect(await readFile(join(project, 'dist/migrations/0001-first.sql'), 'utf8')).toBe('SELECT 1;\n');
  expect((await import(join(project, 'dist/one.js'))).one).toBe(1);
});

it('compiles only what changed, and removes what is gone', async () => {
  await build();
  expect((await build()).output).toContain(' 0 files compiled');
  await writeFile(join(project, 'src/one.ts'), 'export const one: number = 11;\n');
  expect((await build()).output).toContain(' 1 files compiled');
  expect(await readFile(join(project, 'dist/one.js'), 'utf8')).toContain('11');
  await rm(join(project, 'src/migrations/0001-first.sql'));
  await build();
  expect(await readdir(join(project, 'dist/migrations'))).toEqual([]);
});

it('fails on a syntax error and compiles the file once it is mended', async () => {
  await writeFile(join(project, 'src/one.ts'), 'export const = 1;\n');
  expect((await build()).code).toBe(1);
  await writeFile(join(project, 'src/one.ts'), 'export const one = 2;\n');
  expect((await build()).code).toBe(0);
  expect(await readFile(join(project, 'dist/one.js'), 'utf8')).toContain('one = 2');
});

it('compiles code whose stack traces name lines of the sources', async () => {
  await writeFile(
    join(project, 'src/one.ts'),
    "interface Unused {\n  a: number;\n}\n\nconst error: Error = new Error('broken');\nthrow error;\n",
  );
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  await build();
  const run = script(`
    import { nameSourcesInStacks } from './../libs/platform/dist/runtime/source-stacks.js';
    nameSourcesInStacks();
    await import('${join(project, 'dist/one.js')}');
  `);
  expect((await run.ended).code).toBe(1);
  expect(run.output()).toContain(`Error: broken\n    at ${join(project, 'src/one.ts')}:5:22\n`);
});
