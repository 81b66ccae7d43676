// PostgreSQL as a distribution packages it: with the programs that operators make their backups
// with.
import { execFile } from 'node:child_process';
import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const NEEDED = ['postgres', 'initdb', 'pg_basebackup', 'pg_dump', 'pg_restore'];
/** Where Debian and Ubuntu have them, by version. */
const DEBIAN = '/usr/lib/postgresql';

/**
 * @returns {Promise<string>} the folder that has all of them, of the newest version. @throws when
 * there is none
 */
export async function findTools() {
  const versions = (await readdir(DEBIAN).catch(() => [])).sort((a, b) => Number(b) - Number(a));
  const onPath = (process.env.PATH ?? '').split(':');
  for (const folder of [...versions.map((version) => join(DEBIAN, version, 'bin')), ...onPath])
    if (await hasAll(folder)) return folder;
  throw new Error(`needs ${NEEDED.join(', ')} of one version: Debian's package is named postgresql`);
}

async function hasAll(folder) {
  const found = await Promise.all(
    NEEDED.map((name) =>
      stat(join(folder, name)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.every(Boolean);
}

/**
 * What `startPostgres` takes as a package of binaries. @param {string} tools see {@link findTools}
 * @param {string} folder to make it in
 */
export async function packageOf(tools, folder) {
  await mkdir(folder, { mode: 0o755 });
  await symlink(dirname(tools), join(folder, 'native'));
  await writeFile(join(folder, 'package.json'), '{"version": "system"}');
  return folder;
}

/** Runs one of them; without blocking this process. @throws what it said */
export async function runTool(tools, name, args, password) {
  const env = { PATH: process.env.PATH, PGPASSWORD: password };
  await promisify(execFile)(join(tools, name), args, { env, cwd: '/' });
}
