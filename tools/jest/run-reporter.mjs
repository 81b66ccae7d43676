/**
 * The output of `npm test`: failures when they happen and again at the end, a line for each
 * finished project, how far the run is, and `N passed, N failed` as the last line.
 */
import { basename, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import StraysReporter from './strays-reporter.mjs';
import TestPlan, { projectOf } from './test-plan.mjs';

const FAILURE_LINES = 15;
const LINE_WIDTH = 300;
/** How often progress is written: to a terminal in place, otherwise as a line. */
const TERMINAL_MS = 1_000;
const LINE_MS = process.env.CI ? 120_000 : 30_000;

export default class RunReporter extends StraysReporter {
  #isTerminal = process.stdout.isTTY === true;
  #started = performance.now();
  /** When each running file was started. */
  #running = new Map();
  #projects = new Map();
  #failures = [];
  #doneMs = 0;
  #workers;
  #timer;

  constructor(globalConfig) {
    super();
    this.#workers = globalConfig.maxWorkers;
  }

  /** @override */
  onRunStart() {
    super.onRunStart();
    for (const path of TestPlan.files.keys()) this.#project(path).left += 1;
    this.#timer = setInterval(() => this.#showProgress(), this.#isTerminal ? TERMINAL_MS : LINE_MS);
  }

  onTestFileStart({ path }) {
    this.#running.set(path, performance.now());
  }

  onTestFileResult({ path }, result) {
    // Not the duration that Jest measured: a file may leave a fake clock behind.
    const ms = performance.now() - (this.#running.get(path) ?? performance.now());
    this.#running.delete(path);
    this.#doneMs += TestPlan.files.get(path);
    const failures = failuresOf(result);
    this.#failures.push(...failures.map((failure) => ({ project: projectOf(path), ...failure })));
    if (failures.length > 0)
      this.#print(
        `FAIL ${relative(process.cwd(), path)}\n${consoleOf(result)}${result.failureMessage ?? ''}`,
      );
    const project = this.#project(path);
    project.left -= 1;
    project.files += 1;
    project.passed += result.numPassingTests;
    project.failed += failures.length;
    project.skipped += result.numPendingTests + result.numTodoTests;
    project.ms += ms;
    if (project.left === 0) this.#print(projectLine(projectOf(path), project));
  }

  /** @override */
  onRunComplete() {
    clearInterval(this.#timer);
    super.onRunComplete();
    for (const { file, message } of this.strays)
      this.#failures.push({
        project: projectOf(file),
        file: basename(file),
        test: 'after its last test',
        message: firstLines(message),
      });
    this.#print('');
    for (const { project, file, test, message } of this.#failures)
      this.#print(
        `FAILED ${project}, ${file}: ${test}\n${message.map((line) => `    ${line}`).join('\n')}\n`,
      );
    const projects = [...this.#projects.values()];
    const sum = (key) => projects.reduce((total, project) => total + project[key], 0);
    if (sum('skipped') > 0) this.#print(`  ${sum('skipped')} skipped`);
    this.#print(`${sum('passed')} passed, ${this.#failures.length} failed`);
  }

  #project(path) {
    const name = projectOf(path);
    const none = { left: 0, files: 0, passed: 0, failed: 0, skipped: 0, ms: 0 };
    if (!this.#projects.has(name)) this.#projects.set(name, none);
    return this.#projects.get(name);
  }

  #showProgress() {
    const projects = [...this.#projects.values()];
    const files = projects.reduce((sum, project) => sum + project.files, 0);
    const done = projects.filter(({ left }) => left === 0).length;
    const running = [...this.#running.keys()]
      .map((path) => `${projectOf(path)}/${basename(path)}`)
      .join(', ');
    const line = `${minutes(performance.now() - this.#started)}: ${done} of ${projects.length} projects, ${files} of ${TestPlan.files.size} files, about ${minutes(this.#msLeft())} left. Running: ${running}`;
    if (this.#isTerminal) process.stdout.write(`\r\x1b[2K${line.slice(0, process.stdout.columns - 1)}`);
    else console.log(line);
  }

  /** From the expected durations, corrected by how this run has kept to them so far. */
  #msLeft() {
    const total = [...TestPlan.files.values()].reduce((sum, ms) => sum + ms, 0);
    const expected = (total - this.#doneMs) / this.#workers;
    const pace = (performance.now() - this.#started) / (this.#doneMs / this.#workers);
    return expected * (this.#doneMs > total / 20 ? pace : 1);
  }

  #print(text) {
    console.log(this.#isTerminal ? `\r\x1b[2K${text}` : text);
  }
}

function projectLine(name, { files, passed, failed, ms }) {
  const tests = `${passed} passed${failed > 0 ? `, ${failed} FAILED` : ''}`;
  return `  ${name.padEnd(22)} ${tests}, ${files} files, ${Math.round(ms / 1000)} s`;
}

function failuresOf(result) {
  const file = basename(result.testFilePath);
  // A file that can't be loaded counts as one failure.
  if (result.testExecError)
    return [{ file, test: 'could not run', message: firstLines(result.testExecError.message ?? '') }];
  return result.testResults
    .filter((test) => test.status === 'failed')
    .map((test) => ({ file, test: test.fullName, message: firstLines(test.failureMessages[0] ?? '') }));
}

const consoleOf = (result) => (result.console ?? []).map(({ message }) => `${message}\n`).join('');

/** Enough to see what was expected and where, without colors and library frames. */
function firstLines(message) {
  return stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() && !line.includes('node_modules') && !line.includes('node:internal'))
    .slice(0, FAILURE_LINES)
    .map((line) => line.slice(0, LINE_WIDTH));
}

const minutes = (ms) =>
  `${Math.floor(ms / 60_000)}:${String(Math.floor((ms % 60_000) / 1000)).padStart(2, '0')} min`;
