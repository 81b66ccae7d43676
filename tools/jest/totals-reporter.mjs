/**
 * Leaves the numbers and the failures of one Jest run in the folder `TIELINE_TEST_RESULTS`, where
 * `npm test` adds them up. They are written from the start on, with one failure more as long as the
 * run has not ended: a run that dies is none that passed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { openStrays, takeStrays } from './realm/strays.mjs';

const LINES_OF_A_FAILURE = 15;
const WIDTH_OF_A_LINE = 300;

export default class TotalsReporter {
  constructor(globalConfig) {
    this.project = basename(globalConfig.rootDir);
    this.failures = [];
    this.strays = [];
  }

  onRunStart(results) {
    openStrays();
    this.#write(results, 1);
  }

  onTestResult(_test, result, results) {
    this.failures.push(...failuresOf(result));
    this.#write(results, 1);
  }

  onRunComplete(_contexts, results) {
    this.strays = takeStrays();
    for (const { file, message } of this.strays)
      this.failures.push({ file: basename(file), test: 'after its last test', message: firstLines(message) });
    this.#write(results, this.strays.length);
  }

  /** With an error of a reporter Jest fails the run. */
  getLastError() {
    const { length } = this.strays;
    return length > 0 ? new Error(`${length} errors that nobody caught, see above`) : undefined;
  }

  #write(results, more) {
    const folder = process.env.TIELINE_TEST_RESULTS;
    if (!folder) return;
    mkdirSync(folder, { recursive: true });
    const totals = {
      project: this.project,
      passed: results.numPassedTests,
      // A file that can't even be loaded has no tests to fail: it counts as one.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites + more,
      skipped: results.numPendingTests + results.numTodoTests,
      failures: this.failures,
    };
    writeFileSync(join(folder, `${this.project}-${process.pid}.json`), JSON.stringify(totals));
  }
}

function failuresOf(result) {
  const file = basename(result.testFilePath);
  if (result.testExecError) {
    return [{ file, test: 'could not run', message: firstLines(result.testExecError.message ?? '') }];
  }
  return result.testResults
    .filter((test) => test.status === 'failed')
    .map((test) => ({ file, test: test.fullName, message: firstLines(test.failureMessages[0] ?? '') }));
}

/** Enough to see what was expected and where, without colors and library frames. */
function firstLines(message) {
  return stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() && !line.includes('node_modules') && !line.includes('node:internal'))
    .slice(0, LINES_OF_A_FAILURE)
    .map((line) => line.slice(0, WIDTH_OF_A_LINE));
}
