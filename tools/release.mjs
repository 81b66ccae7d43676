/**
 * `npm run release -- 1.2.3` writes the version everywhere and into CHANGELOG.md. `npm run release`
 * then makes what belongs to it in `tmp/release`: the packages of SDK and command line, the list of
 * everything that is shipped (CycloneDX), what the version brings, checksums; with `--image` the
 * image too. It commits, tags and publishes nothing: it says how.
 */
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { lockfileProblems } from './lint/lockfile.mjs';
import { notesOf, released } from './release/changelog.mjs';
import { setVersion, versionsIn } from './release/versions.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'tmp/release');
const CHANGELOG = join(ROOT, 'CHANGELOG.md');
const SBOM = ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx'];
const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

const args = process.argv.slice(2);
const asked = args.find((arg) => !arg.startsWith('-'));
try {
  if (asked) await begin(asked);
  else await make(args.includes('--image'));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function begin(version) {
  if (!VERSION.test(version)) throw new Error(`${version} is no version: 1.2.3 or 1.2.3-rc.1`);
  const changelog = await readFile(CHANGELOG, 'utf8');
  const date = new Date().toISOString().slice(0, 10);
  await writeFile(CHANGELOG, released(changelog, version, date));
  await setVersion(ROOT, version);
  console.log(`This is ${version} now. Next:
  .ci/run
  git commit -am "chore: release ${version}"
  npm run release -- --image`);
}

async function make(withImage) {
  const version = await checked();
  const notes = notesOf(await readFile(CHANGELOG, 'utf8'), version);
  await rm(OUT, { recursive: true, force: true });
  await mkdir(OUT, { recursive: true });
  const { build } = await import('./build.mjs');
  await build();
  const { pack, packCli } = await import('./pack.mjs');
  for (const one of [pack, packCli]) await one(OUT);
  const components = await writeSbom(version);
  await writeFile(join(OUT, 'NOTES.md'), `${notes}\n`);
  await writeChecksums();
  const tags = tagsOf(version);
  if (withImage) buildImage(tags);
  console.log(`${components} components are shipped. In tmp/release: ${(await readdir(OUT)).join(', ')}

  git tag -a v${version} -F tmp/release/NOTES.md
  npm publish tmp/release/tieline-sdk-${version}.tgz
  npm publish tmp/release/tieline-${version}.tgz
${tags.map((tag) => `  docker push ${tag}`).join('\n')}`);
}

/**
 * @returns the version @throws Error when places disagree, or the lockfile is not what it must be
 */
async function checked() {
  const problems = await lockfileProblems(ROOT);
  const places = await versionsIn(ROOT);
  const version = places[0].version ?? '';
  const other = places.filter((place) => place.version !== version);
  problems.push(...other.map((place) => `${place.file} says ${place.version}, package.json ${version}`));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return version;
}

async function writeSbom(version) {
  const { stdout } = await promisify(execFile)('npm', SBOM, { cwd: ROOT, maxBuffer: 100_000_000 });
  await writeFile(join(OUT, `tieline-${version}.cdx.json`), stdout);
  return JSON.parse(stdout).components.length;
}

async function writeChecksums() {
  const lines = [];
  for (const name of (await readdir(OUT)).sort())
    lines.push(
      `${createHash('sha256')
        .update(await readFile(join(OUT, name)))
        .digest('hex')}  ${name}\n`,
    );
  await writeFile(join(OUT, 'SHA256SUMS'), lines.join(''));
}

/** A preview moves no tag that others follow. */
function tagsOf(version) {
  const image = process.env.IMAGE || 'tieline';
  const [major, minor] = version.split('.');
  const moving = version.includes('-') ? [] : [`${major}.${minor}`, 'latest'];
  return [version, ...moving].map((tag) => `${image}:${tag}`);
}

function buildImage(tags) {
  const options = ['build', '-f', 'docker/Dockerfile', ...tags.flatMap((tag) => ['-t', tag]), '.'];
  const { status, error } = spawnSync('docker', options, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error(`docker ${options.join(' ')} failed${error ? `: ${error.message}` : ''}`);
}
