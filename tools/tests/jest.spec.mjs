/**
 * Sharing modules between test files must not make files see each other, and must not hide
 * failures.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { planned } from '../jest/test-plan.mjs';
import { node, ROOT, temporaryFolder } from './node-script.mjs';

let root;

beforeEach(async () => {
  root = await temporaryFolder();
});

afterEach(() => rm(root, { recursive: true, force: true }));

/**
 * Runs test files of a project that has nothing else, in the order of their names.
 * @param {Record<string, string>} files below `src`
 * @param {number} workers
 */
async function run(files, workers = 1) {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, 'src', path)), { recursive: true });
    await writeFile(join(root, 'src', path), content);
  }
  await writeFile(join(root, 'package.json'), '{ "type": "module" }');
  const jest = node(
    [
      'node_modules/jest/bin/jest.js',
      ...['--config', 'jest.preset.js', '--rootDir', root, `--maxWorkers=${workers}`],
      ...['--reporters', join(ROOT, 'tools/jest/run-reporter.mjs')],
    ],
    { DATABASE_URL: 'postgres://unused' },
  );
  const { code } = await jest.ended;
  const output = jest.output();
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? [];
  const failures = output.split(/^FAILED /m).slice(1);
  return { code, output, passed: Number(passed), failed: Number(failed), failures };
}

test('modules are loaded once, what a file changes of the process is put back', async () => {
  const { code, passed, output } = await run({
    'shared.ts': `export const seen: string[] = [];`,
    'a.spec.ts': `
      import { jest } from '@jest/globals';
      import { seen } from './shared.js';
      test('changes everything', () => {
        seen.push('a');
        process.env.LEFT = 'a';
        delete process.env.HOME;
        process.chdir('/');
        jest.useFakeTimers({ now: 0 });
        jest.spyOn(Math, 'random').mockReturnValue(7);
        console.log = () => undefined;
      });
      afterEach(() => void seen.push('hook of a'));`,
    'b.spec.ts': `
      import { seen } from './shared.js';
      test('finds the process as it was', () => {
        expect(seen).toEqual(['a', 'hook of a']);
        expect(process.env.LEFT).toBeUndefined();
        expect(process.env.HOME).toBeDefined();
        expect(process.cwd()).not.toBe('/');
        expect(Date.now()).toBeGreaterThan(0);
        expect(Math.random()).toBeLessThan(1);
        expect(String(console.log)).not.toBe('() => undefined');
      });`,
  });
  expect({ code, passed }).toEqual({ code: 0, passed: 2 });
  expect(output).toMatch(/ 2 passed, 2 files, \d+ s\n/);
});

test('asynchronous work costs the same in every file of a run', async () => {
  const file = `
    import { AsyncResource } from 'node:async_hooks';
    import { costs } from './costs.js';
    test('counts what Node copies into a new asynchronous resource', async () => {
      await new Promise(setImmediate);
      costs.push(Object.getOwnPropertySymbols(new AsyncResource('any')).length);
      expect(new Set(costs).size).toBe(1);
    });`;
  const files = Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.spec.ts`, file]));
  const { code, passed } = await run({ 'costs.ts': `export const costs: number[] = [];`, ...files });
  expect({ code, passed }).toEqual({ code: 0, passed: 3 });
});

test('what fails is named by its file, at the line of the source', async () => {
  const { code, passed, failed, failures } = await run({
    'a.spec.ts': `import { later } from './later.js';
      type Padding = { one: string };
      test('rejects unseen', async () => { later(); await new Promise((done) => setTimeout(done, 50)); });`,
    'later.ts': `interface Gone { one: string }
interface GoneToo { two: Gone }
export const later = (two?: GoneToo): void => void Promise.reject(new Error('unseen ' + String(two)));`,
    'b.spec.ts': `throw new Error('at its start');`,
    'c.spec.ts': `interface Gone { one: string }
      test('compares', () => expect(1 as unknown as Gone).toBe(2));`,
    'd.spec.ts': `test('passes', () => undefined);`,
  });
  expect({ code, passed, failed }).toEqual({ code: 1, passed: 1, failed: 3 });
  const of = (file) => failures.find((failure) => failure.includes(`, ${file}: `));
  expect(of('a.spec.ts')).toMatch(/unseen undefined[^]*later\.ts:3:/);
  expect(of('b.spec.ts')).toContain('at its start');
  expect(of('c.spec.ts')).toMatch(/c\.spec\.ts:2:/);
});

test.each([1, 2])(
  'a rejection after the last test of a file fails the run with the name of the file, %d workers',
  async (workers) => {
    const { code, passed, failed, failures } = await run(
      {
        'a.spec.ts': `test('leaves something behind', () => {
      const { emit } = process;
      process.emit = (name, ...args) => emit.call(process, name, ...args);
      setTimeout(() => void Promise.reject(new Error('too late')), 0);
    });
    afterAll(() => new Promise((done) => setImmediate(done)));`,
        'b.spec.ts': `import { setTimeout as sleep } from 'node:timers/promises';
      await sleep(0);
      test('passes', () => undefined);`,
      },
      workers,
    );
    expect({ code, passed, failed }).toEqual({ code: 1, passed: 2, failed: 1 });
    expect(failures).toEqual([expect.stringContaining(', a.spec.ts: after its last test\n')]);
  },
);

const order = (files) =>
  planned(files.map((file) => ({ path: join(ROOT, file) }))).map(({ test }) =>
    test.path.slice(ROOT.length + 1),
  );

test('files that start whole programs are spread among the others', () => {
  // Files of one kind that have never run count the same.
  const files = ['libs/c', 'libs/d', 'libs/e', 'libs/f', 'apps/e2e/a', 'apps/e2e/b'];
  expect(order(files)).toEqual(['apps/e2e/a', 'libs/c', 'libs/d', 'apps/e2e/b', 'libs/e', 'libs/f']);
});

test('files that share a product run before others that start programs', () => {
  const alone = 'apps/e2e/src/agent-runs.int-spec.ts';
  const sharing = ['openapi/served', 'console/chat'].map((file) => `apps/e2e/src/${file}.int-spec.ts`);
  expect(order([alone, ...sharing]).indexOf(alone)).toBe(2);
});

test('--quick leaves out the projects that start browsers and whole programs', async () => {
  const quick = node(['tools/test.mjs', '--quick', '--projects=e2e,tools']);
  expect((await quick.ended).code).toBe(1);
  expect(quick.output()).toContain('no project is left to test');
});
