/** Folders that are made once and serve every start from then on. */
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/tieline-simulator');
const KEPT_DAYS = 7;

/**
 * @param {string} name identifies the content
 * @param {(folder: string) => Promise<void>} make fills a new one
 * @returns {Promise<string>} the folder
 */
export async function cached(name, make) {
  const folder = join(CACHE, name);
  if (await use(folder)) return folder;
  await mkdir(CACHE, { recursive: true, mode: 0o755 });
  await dropUnused();
  const unfinished = await mkdtemp(`${folder}.`);
  try {
    await make(unfinished);
    // Another process may have been faster. Its result is equally good.
    await rename(unfinished, folder).catch(async (error) => {
      if (!(await use(folder))) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/** @returns {Promise<boolean>} whether it is there */
async function use(folder) {
  if (!(await stat(folder).catch(() => undefined))) return false;
  const now = new Date();
  await utimes(folder, now, now).catch(() => undefined);
  return true;
}

async function dropUnused() {
  for (const name of await readdir(CACHE)) {
    const { mtimeMs } = await stat(join(CACHE, name)).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > KEPT_DAYS * 86_400_000)
      await rm(join(CACHE, name), { recursive: true, force: true });
  }
}
