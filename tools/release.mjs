/**
 * `npm run release`: what belongs to a release besides the image: checks the lockfile, builds, and writes the list of everything
 * that is shipped (CycloneDX) to `tmp/tieline-<version>.cdx.json`.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { lockfileProblems } from './lint/lockfile.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SBOM = ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx'];

const problems = await lockfileProblems(ROOT);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
const { build } = await import('./build.mjs');
await build();
const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
const { stdout } = await promisify(execFile)('npm', SBOM, { cwd: ROOT, maxBuffer: 100_000_000 });
const file = join(ROOT, 'tmp', `tieline-${version}.cdx.json`);
await mkdir(join(ROOT, 'tmp'), { recursive: true });
await writeFile(file, stdout);
console.log(`${JSON.parse(stdout).components.length} components: ${file}`);
