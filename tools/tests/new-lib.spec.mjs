import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { houseRuleProblems } from '../lint/house-rules.mjs';
import { libDependencyProblems } from '../lint/lib-dependencies.mjs';
import { statementFileProblems } from '../lint/statements.mjs';
import { newLib } from '../new-lib.mjs';

const REPOSITORY = resolve(import.meta.dirname, '../..');

// Inside the checkout, where the compiler finds the packages.
let root;

beforeEach(async () => {
  await mkdir(join(REPOSITORY, 'tmp'), { recursive: true });
  root = await mkdtemp(join(REPOSITORY, 'tmp/new-lib-'));
  await writeFile(join(root, 'eslint.config.mjs'), "const layers = {\n  'lib:conversations': spaces,\n};\n");
});

afterEach(() => rm(root, { recursive: true, force: true }));

test('a new lib compiles, keeps the house rules, and has its layer', async () => {
  const files = await newLib(root, 'saved-searches');
  expect(files).toContain('libs/saved-searches/src/create-saved-search.ts');
  expect(await readFile(join(root, 'eslint.config.mjs'), 'utf8')).toContain(
    "  'lib:saved-searches': spaces,\n",
  );
  for (const problemsOf of [houseRuleProblems, libDependencyProblems, statementFileProblems])
    expect(await problemsOf(root, files)).toEqual([]);

  const settings = { extends: '../../tsconfig.base.json', include: ['libs/*/src/**/*.ts'] };
  await writeFile(join(root, 'tsconfig.json'), JSON.stringify(settings));
  const compiler = join(REPOSITORY, 'node_modules/@typescript/native/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.json'], { cwd: root });
  expect(stdout.toString()).toBe('');
});

test.each(['Badges', 'badge', '../badges', ''])('"%s" is no name for a lib', async (name) => {
  await expect(newLib(root, name)).rejects.toThrow('is no plural in lower case');
});

test('a lib that is there stays as it is', async () => {
  await newLib(root, 'badges');
  await expect(newLib(root, 'badges')).rejects.toThrow('libs/badges is there already');
});
