/**
 * The order of the test files of a run. Files that start whole programs, which keep the processor
 * busy, are spread evenly among the others, which mostly wait. The longest of both come first, so
 * that no worker is left alone with one at the end. Files that share a product come before others
 * that start programs. Stores how long each took, from which the time left is estimated.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const DURATIONS = join(ROOT, 'node_modules/.cache/tieline-tests/durations.json');
/** For files that have never run here. Those that start whole programs take longest. */
const GUESS_MS = { programs: 40_000, others: 5_000 };

const name = (path) => relative(ROOT, path);

/** @returns {string} the folder of the project that a test file belongs to */
export function projectOf(path) {
  return /^((apps|libs)\/[^/]+|tools)(?=\/)/.exec(name(path))?.[0] ?? dirname(path);
}

/** Jest's `testSequencer`. */
export default class TestPlan {
  /** Files of this run and their expected duration in milliseconds, for the reporter. */
  static files = new Map();

  sort(tests) {
    const plan = planned(tests);
    TestPlan.files = new Map(plan.map(({ test, ms }) => [test.path, ms]));
    return plan.map(({ test }) => test);
  }

  cacheResults(_tests, { testResults }) {
    const known = durations();
    for (const { testFilePath, perfStats } of testResults)
      if (perfStats.runtime > 0 && isOurs(testFilePath)) known[name(testFilePath)] = perfStats.runtime;
    mkdirSync(dirname(DURATIONS), { recursive: true });
    // Another run may read the file.
    writeFileSync(`${DURATIONS}.${process.pid}`, JSON.stringify(known));
    renameSync(`${DURATIONS}.${process.pid}`, DURATIONS);
  }
}

/** @returns {{ test: { path: string }, ms: number }[]} the tests with their expected durations */
export function planned(tests) {
  const known = durations();
  const all = tests
    .map((test) => ({ test, ms: known[name(test.path)] ?? guess(name(test.path)) }))
    .sort((a, b) => b.ms - a.ms || (a.test.path < b.test.path ? -1 : 1));
  const programs = all
    .filter(({ test }) => startsPrograms(name(test.path)))
    .map((each) => ({ ...each, shares: sharesProduct(each.test.path) }))
    .sort((a, b) => Number(b.shares) - Number(a.shares));
  const others = all.filter(({ test }) => !startsPrograms(name(test.path)));
  return [...withShareLeft(programs), ...withShareLeft(others)]
    .sort((a, b) => b.left - a.left)
    .map(({ test, ms }) => ({ test, ms }));
}

/** Adds to each test which share of the list's total time is left when it starts. */
function withShareLeft(list) {
  const total = list.reduce((sum, { ms }) => sum + ms, 0);
  let left = total;
  return list.map((each) => {
    const share = left / total;
    left -= each.ms;
    return { ...each, left: share };
  });
}

function durations() {
  try {
    return JSON.parse(readFileSync(DURATIONS, 'utf8'));
  } catch {
    return {};
  }
}

const isOurs = (path) => path.startsWith(`${ROOT}/`);

const startsPrograms = (file) => /^(apps\/e2e|tools)\//.test(file);

const guess = (file) => (startsPrograms(file) ? GUESS_MS.programs : GUESS_MS.others);

/** Whether a file uses the product of `apps/e2e/src/share-tieline.ts`. */
function sharesProduct(path) {
  try {
    return /\b(shareTieline|ConsoleHarness\.start)\(/.test(readFileSync(path, 'utf8'));
  } catch {
    return false; // a path that only the spec of this file names
  }
}
