/** One run of some of a project's test files by Jest. */
import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { relative } from 'node:path';

/** A project's tests are over in minutes, on a busy machine as well. */
const LIMIT_MS = 3_600_000;
/** How long a run may take to stop. */
const END_MS = 10_000;

/**
 * @param {object} run
 * @param {string} run.root of the workspace
 * @param {string} run.project folder in it
 * @param {string[]} run.files paths in the workspace
 * @param {NodeJS.ProcessEnv} run.env
 * @param {string} run.report where Jest may leave its report
 * @param {AbortSignal} run.signal ends the run
 * @param {number} [run.limitMs] ends it as well: a hanging run releases its server
 * @returns {Promise<{ failed: string[], printed: string }>} the names of tests that failed
 */
export async function runTests({ root, project, files, env, report, signal, limitMs = LIMIT_MS }) {
  await rm(report, { force: true });
  const args = [
    'node_modules/jest/bin/jest.js',
    ...['--config', 'jest.preset.js', '--rootDir', project, '--forceExit'],
    ...['--json', '--outputFile', report],
    ...['--runTestsByPath', ...files],
  ];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let killing;
  const end = () => {
    child.kill('SIGTERM');
    killing = setTimeout(() => child.kill('SIGKILL'), END_MS);
  };
  signal.addEventListener('abort', end);
  const limit = setTimeout(end, limitMs);
  let printed = '';
  child.stderr.on('data', (part) => (printed += part));
  await new Promise((ended) => child.once('close', ended));
  signal.removeEventListener('abort', end);
  for (const timer of [limit, killing]) clearTimeout(timer);
  const { testResults = [] } = JSON.parse(await readFile(report, 'utf8').catch(() => '{}'));
  const ran = new Map(testResults.map((result) => [relative(root, result.name), result]));
  return { failed: files.flatMap((file) => failuresOf(file, ran.get(file))), printed };
}

/**
 * Returns the failed tests of a file. One that was not run has failed, too.
 * @param {string} file @param {any} [result] Jest's report of it
 */
function failuresOf(file, { status, assertionResults = [] } = {}) {
  const names = assertionResults
    .filter((one) => one.status === 'failed')
    .map((one) => `${file}: ${one.fullName}`);
  return names.length > 0 || status === 'passed' ? names : [`${file}: the file itself`];
}
