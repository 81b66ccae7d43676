/**
 * Sharing modules between test files must not make files see each other, and must not hide
 * failures.
 */
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { node, temporaryFolder } from './node-script.mjs';

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
  const results = join(root, 'results');
  const sequencer = join(root, 'by-name.cjs');
  await writeFile(
    sequencer,
    'module.exports = class { sort(tests) { return tests.sort((a, b) => (a.path < b.path ? -1 : 1)); } cacheResults() {} }',
  );
  const jest = node(
    [
      'node_modules/jest/bin/jest.js',
      '--config',
      'jest.preset.js',
      '--rootDir',
      root,
      '--testSequencer',
      sequencer,
      `--maxWorkers=${workers}`,
    ],
    { DATABASE_URL: 'postgres://unused', TIELINE_TEST_RESULTS: results },
  );
  const { code } = await jest.ended;
  const [report] = await readdir(results);
  return { code, output: jest.output(), ...JSON.parse(await readFile(join(results, report), 'utf8')) };
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
        console.log('it can be heard');
      });`,
  });
  expect({ code, passed }).toEqual({ code: 0, passed: 2 });
  expect(output).toContain('it can be heard');
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
  const of = (file) => failures.find((failure) => failure.file === file).message.join('\n');
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
    expect(failures).toMatchObject([{ file: 'a.spec.ts', test: 'after its last test' }]);
  },
);
