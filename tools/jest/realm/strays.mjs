/**
 * Errors that nobody caught between test files, when no test is there to fail. Each is said at once and fails the run
 * (totals-reporter.mjs names the file). During a test file jest-circus takes these events for itself.
 */
import { inspect } from 'node:util';

/** @type {{ file: string, message: string }[]} */
export const strays = [];

/** @param {() => string} lastFile the file whose tests ran last */
export function watchForStrays(lastFile) {
  const keep = (error) => {
    const stray = { file: lastFile(), message: inspect(error) };
    strays.push(stray);
    process.stderr.write(`\nafter the last test of ${stray.file}:\n${stray.message}\n`);
    process.exitCode = 1;
  };
  process.on('unhandledRejection', keep);
  process.on('uncaughtException', keep);
}
