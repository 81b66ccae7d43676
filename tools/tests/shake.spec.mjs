import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { node, ROOT, temporaryFolder } from './node-script.mjs';
import { runsIn } from '../qa/shake/plans.mjs';
import { runTests } from '../qa/shake/run-tests.mjs';
import { Tally } from '../qa/shake/tally.mjs';
import { partsOf } from '../qa/shake/test-files.mjs';

let folder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const shake = (...args) => node(['tools/qa/run.mjs', 'shake', '--at-once', '1', '--tally', folder, ...args]);
const runs = async () => (await Tally.open(folder)).runs;

test('every round runs the files, and an interrupted shake goes on where it ended', async () => {
  const first = shake('--times', '50', 'console');
  await first.said('1/50 libs/console: ok');
  first.kill('SIGTERM');
  await first.ended;
  // Usually one: the next round may end before the signal arrives.
  const { length: done } = await runs();
  const whole = { part: 'libs/console', files: 1, failed: [] };
  expect(await runs()).toEqual(Array.from({ length: done }, (_none, round) => ({ round, ...whole })));

  const all = done + 1;
  const second = shake('--times', String(all), 'console');
  expect(await second.ended).toEqual({ code: 0, signal: null });
  expect(second.output()).toContain(`${all}/${all} libs/console: ok, 0 runs left\n\nnothing failed`);
  expect(second.output()).not.toContain(`${done}/${all}`);
  const { testResults } = JSON.parse(await readFile(join(folder, `libs-console-${all}.json`), 'utf8'));
  expect(testResults[0].assertionResults.length).toBeGreaterThan(0);
});

test('what once failed makes the end of all rounds a failure, and is named with its log', async () => {
  const tally = await Tally.open(folder);
  await tally.add({ round: 0, part: 'libs/console', files: 1, failed: ['a test'], log: 'its log' });
  const over = shake('--times', '1', 'console');
  expect((await over.ended).code).toBe(1);
  expect(over.output()).toContain('a test\n  failed 1 times: its log');
});

test('a name that no test has is an error', async () => {
  const none = shake('--times', '1', 'nothing-of-this-name');
  expect((await none.ended).code).toBe(1);
  expect(none.output()).toContain('no integration test matches');
});

test('a file that did not run has failed', async () => {
  const { failed } = await runTests({
    root: ROOT,
    project: 'libs/console',
    files: ['libs/console/src/none.int-spec.ts'],
    env: { PATH: process.env.PATH, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    report: join(folder, 'report.json'),
    signal: new AbortController().signal,
  });
  expect(failed).toEqual(['libs/console/src/none.int-spec.ts: the file itself']);
});

test('a run that hangs is ended, and has failed', async () => {
  // In the place of Jest a program that neither ends nor listens.
  const jest = join(folder, 'node_modules/jest/bin');
  await mkdir(jest, { recursive: true });
  await writeFile(
    join(jest, 'jest.js'),
    `process.on('SIGTERM', () => console.error('no')); setInterval(() => {}, 1000);`,
  );
  const { failed, printed } = await runTests({
    root: folder,
    project: 'libs/console',
    files: ['hangs.int-spec.ts'],
    env: { PATH: process.env.PATH },
    report: join(folder, 'report.json'),
    signal: new AbortController().signal,
    limitMs: 10_000,
  });
  expect({ failed, printed }).toEqual({ failed: ['hangs.int-spec.ts: the file itself'], printed: 'no\n' });
});

test('a file of programs is a part of its own, and paths can be asked for', () => {
  const [first, ...others] = partsOf(ROOT, [], /outages/);
  expect(others.length).toBeGreaterThan(3);
  for (const { name, project, files } of [first, ...others].filter(({ project }) => project === 'apps/e2e'))
    expect([name, project, files]).toEqual([files[0], 'apps/e2e', [name]]);
  expect(partsOf(ROOT, ['console'], /./).map(({ name }) => name)).toEqual(['libs/console']);
});

test('tests that look at plans run only with those that PostgreSQL chooses by itself', () => {
  const rounds = (text) => [0, 1, 2, 3, 4, 5].filter((round) => runsIn(round, text));
  expect(rounds('await client.query(`EXPLAIN EXECUTE kept`)')).toEqual([0, 5]);
  expect(rounds('expect(answer.status).toBe(200)')).toEqual([0, 1, 2, 3, 4, 5]);
});
