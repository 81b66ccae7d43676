/** Which test files are shaken, and which of them run in one process. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Each file there starts whole programs, so a separate process costs little. */
export const OF_PROGRAMS = 'apps/e2e';

/**
 * @typedef {object} Part of a round
 * @property {string} name the project, or the file that is its only one
 * @property {string} project folder in the workspace
 * @property {string[]} files paths in the workspace
 */

/**
 * @param {string} root of the workspace
 * @param {string[]} names of projects; none: all
 * @param {RegExp} only files whose path matches
 * @returns {Part[]} what takes longest first
 */
export function partsOf(root, names, only) {
  const projects = ['libs', 'apps']
    .flatMap((kind) => readdirSync(join(root, kind)).map((name) => ({ name, folder: join(kind, name) })))
    .filter(
      ({ name, folder }) =>
        existsSync(join(root, folder, 'src')) && (names.length === 0 || names.includes(name)),
    );
  const parts = projects.flatMap(({ folder: project }) => {
    const files = testFiles(root, project).filter((file) => only.test(file));
    if (project === OF_PROGRAMS) return files.map((file) => ({ name: file, project, files: [file] }));
    return files.length > 0 ? [{ name: project, project, files }] : [];
  });
  return parts.sort((a, b) => b.files.length - a.files.length);
}

function testFiles(root, project) {
  return readdirSync(join(root, project, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.int-spec.ts'))
    .map((file) => join(project, 'src', file))
    .sort();
}
