import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.nx', '.data', 'tmp', 'coverage', 'lint-fixture']);

/**
 * Every file of the checkout that is ours, as paths from its root.
 * @param {string} root
 * @param {string} [folder]
 * @returns {Promise<string[]>}
 */
export async function ownFiles(root, folder = root) {
  const entries = await readdir(folder, { withFileTypes: true });
  const nested = entries.map((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : ownFiles(root, path);
    return entry.isFile() ? [relative(root, path)] : [];
  });
  return (await Promise.all(nested)).flat().sort();
}

/** Whether a file is written by hand. House rules do not apply to generated files. */
export const isWritten = (file) => !file.startsWith('libs/sdk/src/api/');
