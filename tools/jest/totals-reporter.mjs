/**
 * Leaves the numbers of one Jest run in the folder `TIELINE_TEST_RESULTS`, where `npm test` adds them up. They are
 * written from the start on, with one failure more as long as the run has not ended: a run that dies is none that passed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export default class TotalsReporter {
  constructor(globalConfig) {
    this.project = basename(globalConfig.rootDir);
  }

  onRunStart(results) {
    this.#write(results, 1);
  }

  onTestResult(_test, _result, results) {
    this.#write(results, 1);
  }

  onRunComplete(_contexts, results) {
    this.#write(results, 0);
  }

  #write(results, unfinished) {
    const folder = process.env.TIELINE_TEST_RESULTS;
    if (!folder) return;
    mkdirSync(folder, { recursive: true });
    const totals = {
      project: this.project,
      passed: results.numPassedTests,
      // A file that can't even be loaded has no tests to fail: it counts as one.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites + unfinished,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    writeFileSync(join(folder, `${this.project}-${process.pid}.json`), JSON.stringify(totals));
  }
}
