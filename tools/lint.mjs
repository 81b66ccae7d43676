/** `npm run lint`: ESLint with the layer rule, a proof that its rules fire, import cycles, house rules. */
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownFiles } from './lint/sources.mjs';
import { statementFileProblems } from './lint/statements.mjs';
import { checkFixtures } from './lint/fixtures.mjs';
import { houseRuleProblems } from './lint/house-rules.mjs';
import { importCycles } from './lint/import-cycles.mjs';
import { libDependencyProblems } from './lint/lib-dependencies.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
process.env.NX_DAEMON = 'false';

function run(command, args) {
  return (
    spawnSync(join(ROOT, 'node_modules/.bin', command), args, { cwd: ROOT, stdio: 'inherit' }).status === 0
  );
}

function report(name, problems) {
  for (const problem of problems) console.error(`  ${problem}`);
  console.log(`${problems.length === 0 ? 'ok' : 'FAILED'}: ${name}`);
  return problems.length === 0;
}

const files = await ownFiles(ROOT);
const projects = run('nx', [
  'run-many',
  '-t',
  'lint',
  '--exclude=tieline',
  '--output-style=static',
  ...process.argv.slice(2),
]);
const tools = run('eslint', [
  '--max-warnings',
  '0',
  'tools',
  'examples',
  'eslint.config.mjs',
  'jest.preset.js',
]);
const { count, problems } = await checkFixtures(ROOT);
const cycles = await importCycles(ROOT, files);

const verdicts = [
  report('ESLint', [
    ...(projects ? [] : ['apps and libs: see above']),
    ...(tools ? [] : ['tools and examples: see above']),
  ]),
  report(`${count} fixtures that prove the rules`, problems),
  report(
    'no import cycles',
    cycles.map((cycle) => [...cycle, cycle[0]].join('\n    → ')),
  ),
  report('dependencies of libs', await libDependencyProblems(ROOT, files)),
  report('statements', await statementFileProblems(ROOT, files)),
  report('house rules', await houseRuleProblems(ROOT, files)),
];
process.exit(verdicts.every(Boolean) ? 0 : 1);
