/** Import cycles among our sources: type imports count too, a knot is a knot for the reader. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

/**
 * @param {string} root
 * @param {string[]} files paths from the root
 * @returns {Promise<string[][]>} the files of each cycle, in the order of import
 */
export async function importCycles(root, files) {
  const sources = files.filter((file) => /^(apps|libs)\/.*\.tsx?$/.test(file));
  const entryPoints = await packageEntryPoints(root, files);
  const imports = new Map();
  for (const file of sources) {
    const { importedFiles } = ts.preProcessFile(await readFile(join(root, file), 'utf8'));
    imports.set(
      file,
      importedFiles.map(({ fileName }) => target(root, file, fileName, entryPoints)).filter(Boolean),
    );
  }
  return cyclesOf(imports);
}

/** `@tieline/platform/http` → `libs/platform/src/http/index.ts`, from each package's `exports`. */
export async function packageEntryPoints(root, files) {
  const entryPoints = new Map();
  for (const file of files.filter((path) => /^libs\/[^/]+\/package\.json$/.test(path))) {
    const { name, exports } = JSON.parse(await readFile(join(root, file), 'utf8'));
    for (const [part, conditions] of Object.entries(exports ?? {})) {
      entryPoints.set(join(name, part), join(dirname(file), conditions['@tieline/source']));
    }
  }
  return entryPoints;
}

function target(root, importer, specifier, entryPoints) {
  if (!specifier.startsWith('.')) return entryPoints.get(specifier);
  const path = normalize(join(dirname(importer), specifier));
  return ['.ts', '.tsx']
    .map((extension) => path.replace(/\.js$/, extension))
    .find((file) => existsSync(join(root, file)));
}

/**
 * Depth first; an edge back into the current path closes a cycle. Each file is entered once, so
 * each knot shows.
 */
function cyclesOf(imports) {
  const done = new Set();
  const path = [];
  const cycles = [];
  const visit = (file) => {
    const position = path.indexOf(file);
    if (position >= 0) cycles.push(path.slice(position));
    if (position >= 0 || done.has(file)) return;
    path.push(file);
    for (const next of imports.get(file) ?? []) visit(next);
    path.pop();
    done.add(file);
  };
  for (const file of imports.keys()) visit(file);
  return cycles;
}
