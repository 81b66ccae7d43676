/**
 * Imports of other libs must be declared in a lib's package.json. The order of migrations comes
 * from there, and the layer rule of eslint.config.mjs checks the imports, so all three agree.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * @param {string} root
 * @param {string[]} files paths from the root
 * @returns {Promise<string[]>} one sentence per problem
 */
export async function libDependencyProblems(root, files) {
  const libs = files
    .filter((file) => /^libs\/[^/]+\/package\.json$/.test(file))
    .map((file) => file.split('/')[1]);
  return (await Promise.all(libs.map((lib) => problemsOf(root, files, lib)))).flat();
}

async function problemsOf(root, files, lib) {
  const { name, dependencies = {} } = JSON.parse(
    await readFile(join(root, 'libs', lib, 'package.json'), 'utf8'),
  );
  const declared = Object.keys(dependencies).filter((dependency) => dependency.startsWith('@tieline/'));
  const imported = await importsOf(
    root,
    files.filter((file) => isProduct(file, lib)),
    name,
  );
  return [
    ...imported
      .filter((other) => !declared.includes(other))
      .map((other) => `imports ${other}: add it to "dependencies"`),
    ...declared
      .filter((other) => !imported.includes(other))
      .map((other) => `imports nothing of ${other}: take it out of "dependencies"`),
  ].map((problem) => `libs/${lib}/package.json: ${problem}`);
}

/** Tests, and what they stand on, may import what they like among the layers. */
function isProduct(file, lib) {
  return (
    file.startsWith(`libs/${lib}/src/`) &&
    /\.ts$/.test(file) &&
    !/spec\.ts$|\/src\/(.*\/)?testing\//.test(file)
  );
}

async function importsOf(root, files, self) {
  const perFile = await Promise.all(
    files.map(async (file) => ts.preProcessFile(await readFile(join(root, file), 'utf8')).importedFiles),
  );
  const packages = perFile.flat().map(({ fileName }) => /^@tieline\/[^/]+/.exec(fileName)?.[0]);
  return [...new Set(packages)].flatMap((other) => (other && other !== self ? [other] : [])).sort();
}
