/**
 * Uncaught errors between test files, when no test can fail. Each is printed immediately and stored
 * in a folder for the process that runs everything, because test files may run in worker processes.
 * During a test file jest-circus handles these events.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';

const FOLDER = 'TIELINE_TEST_STRAYS';

/** Makes the folder, which the processes of test files inherit by its name. */
export function openStrays() {
  process.env[FOLDER] = mkdtempSync(join(tmpdir(), 'tieline-strays-'));
}

/** @returns {{ file: string, message: string }[]} what was left, which is removed */
export function takeStrays() {
  const folder = process.env[FOLDER] ?? '';
  const strays = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  rmSync(folder, { recursive: true, force: true });
  return strays;
}

/** @param {() => string} lastFile the file whose tests ran last */
export function watchForStrays(lastFile) {
  let count = 0;
  const keep = (error) => {
    const stray = { file: lastFile(), message: inspect(error) };
    process.stderr.write(`\nafter the last test of ${stray.file}:\n${stray.message}\n`);
    process.exitCode = 1;
    const folder = process.env[FOLDER];
    if (!folder) return; // another reporter
    count += 1;
    writeFileSync(join(folder, `${process.pid}-${count}.json`), JSON.stringify(stray));
  };
  process.on('unhandledRejection', keep);
  process.on('uncaughtException', keep);
}
