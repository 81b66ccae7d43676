/**
 * `npm run lint`: ESLint with the layer rule, a proof that its rules fire, formatting, import
 * cycles, house rules. `--rest` leaves out what `nx affected -t lint` gives to ESLint project by
 * project.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWritten, ownFiles } from './lint/sources.mjs';
import { statementFileProblems } from './lint/statements.mjs';
import { unusedExportProblems } from './lint/unused-exports.mjs';
import { checkFixtures } from './lint/fixtures.mjs';
import { documentPathProblems } from './lint/document-paths.mjs';
import { proseProblems } from './lint/documents.mjs';
import { houseRuleProblems } from './lint/house-rules.mjs';
import { importCycles } from './lint/import-cycles.mjs';
import { libDependencyProblems } from './lint/lib-dependencies.mjs';
import { lockfileProblems } from './lint/lockfile.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
/** Takes two minutes of processor time; the cache leaves only what has changed. */
const CHECK_FORMAT = ['--check', '--log-level', 'warn', '--cache', '--cache-strategy', 'content'];
const FORMATTED = ['{apps,libs,tools,examples}/**/*.{ts,tsx,css,mjs,js,json}', '*.{mjs,js,json}', '**/*.md'];

/**
 * @param {string} command @param {string[]} args
 * @returns {string[]} a problem when the command failed; it has said what by itself
 */
function run(command, args) {
  const { status } = spawnSync(join(ROOT, 'node_modules/.bin', command), args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status === 0 ? [] : [`${command}: see above`];
}

function report(name, problems) {
  for (const problem of problems) console.error(`  ${problem}`);
  console.log(`${problems.length === 0 ? 'ok' : 'FAILED'}: ${name}`);
  return problems.length === 0;
}

const everyFile = await ownFiles(ROOT);
const files = everyFile.filter(isWritten);
const projects = process.argv.includes('--rest') ? [] : ['apps', 'libs'];
const eslint = run('eslint', [
  '--max-warnings',
  '0',
  ...projects,
  'tools',
  'examples',
  'eslint.config.mjs',
  'jest.preset.js',
]);
const { count, problems } = await checkFixtures(ROOT);
const cycles = await importCycles(ROOT, files);

const verdicts = [
  report('ESLint', eslint),
  report(`${count} fixtures that prove the rules`, problems),
  report('formatting', run('prettier', [...CHECK_FORMAT, ...FORMATTED])),
  report(
    'no import cycles',
    cycles.map((cycle) => [...cycle, cycle[0]].join('\n    → ')),
  ),
  report('dependencies of libs', await libDependencyProblems(ROOT, files)),
  report('lockfile', await lockfileProblems(ROOT)),
  report('statements', await statementFileProblems(ROOT, files)),
  report('exports are used', await unusedExportProblems(ROOT, files)),
  report('paths and headings in documents exist', await documentPathProblems(ROOT, everyFile)),
  report('documents in plain English', await proseProblems(ROOT, everyFile)),
  report('house rules', await houseRuleProblems(ROOT, files)),
];
process.exit(verdicts.every(Boolean) ? 0 : 1);
