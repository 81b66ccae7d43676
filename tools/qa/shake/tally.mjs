/** Completed runs, one JSON object per line, so that an interrupted shake can continue. */
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * @typedef {object} Run
 * @property {number} round from 0
 * @property {string} part of the round
 * @property {number} files that ran
 * @property {string[]} failed names of tests
 * @property {string} [log] what the run printed, if it failed
 */

export class Tally {
  /** @type {Run[]} */
  runs = [];

  /** @param {string} file */
  constructor(file) {
    this.file = file;
  }

  /** @param {string} folder made when missing */
  static async open(folder) {
    await mkdir(folder, { recursive: true });
    const tally = new Tally(join(folder, 'runs.jsonl'));
    if (existsSync(tally.file)) {
      const lines = (await readFile(tally.file, 'utf8')).split('\n').filter(Boolean);
      tally.runs = lines.map((line) => JSON.parse(line));
    }
    return tally;
  }

  has(round, part) {
    return this.runs.some((run) => run.round === round && run.part === part);
  }

  /** @param {Run} run */
  async add(run) {
    this.runs.push(run);
    await appendFile(this.file, `${JSON.stringify(run)}\n`);
  }

  /** @returns {Map<string, string[]>} of each test that failed, the logs that tell of it */
  failures() {
    const failures = new Map();
    for (const { failed, log } of this.runs)
      for (const name of failed) failures.set(name, [...(failures.get(name) ?? []), log]);
    return failures;
  }
}
