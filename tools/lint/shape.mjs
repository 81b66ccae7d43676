/** Limits the length of files and the number of names in a folder. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const LIMITS = { longestFile: 300, folder: 22 };

/**
 * @param {string} root
 * @param {string[]} files paths from the root
 * @returns {Promise<string[]>} one sentence per problem
 */
export async function shapeProblems(root, files) {
  const sources = files.filter((file) => /^(apps|libs)\/.*\.tsx?$/.test(file) && !/spec\.ts$/.test(file));
  const counted = await Promise.all(
    sources.map(async (file) => [
      (await readFile(join(root, file), 'utf8')).trimEnd().split('\n').length,
      file,
    ]),
  );
  return [
    ...counted
      .filter(([lines]) => lines > LIMITS.longestFile)
      .map(([lines, file]) => `${file}: ${lines} lines, ${LIMITS.longestFile} at most`),
    ...fullFolders(files),
  ];
}

/** Folders below a lib's or an app's sources; migrations only ever grow. */
function fullFolders(files) {
  const names = new Map();
  for (const file of files.filter((path) => /^(apps|libs)\/[^/]+\/src\//.test(path))) {
    const parts = file.split('/');
    for (let depth = 3; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/');
      names.set(folder, (names.get(folder) ?? new Set()).add(parts[depth]));
    }
  }
  return [...names]
    .filter(([folder, { size }]) => size > LIMITS.folder && !folder.endsWith('/migrations'))
    .map(([folder, { size }]) => `${folder}: ${size} names, about 20 at most: make rooms`);
}
