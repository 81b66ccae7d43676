/**
 * `npm run pack`: `@tieline/sdk` as a package that any project can install, `tmp/tieline-sdk-<version>.tgz`: compiled, with its types, without what
 * only makes sense in this repository (the entry for tests, which starts the product).
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from './build.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SDK = join(ROOT, 'libs/sdk');
const HERE_ONLY = './testing';
const run = promisify(execFile);

/** @param {string} folder where to put it @returns {Promise<string>} the package's file */
export async function pack(folder) {
  await build([SDK]);
  const stage = await mkdtemp(join(tmpdir(), 'tieline-pack-'));
  try {
    const manifest = JSON.parse(await readFile(join(SDK, 'package.json'), 'utf8'));
    const entries = Object.entries(manifest.exports).filter(([name]) => name !== HERE_ONLY);
    await cp(join(SDK, 'dist'), join(stage, 'dist'), {
      recursive: true,
      filter: (path) => !/\/dist\/testing|\.build\.json$/.test(path),
    });
    await writeTypes(
      stage,
      entries.map(([, { types }]) => join(SDK, types)),
    );
    for (const file of ['LICENSE', 'libs/sdk/README.md'])
      await cp(join(ROOT, file), join(stage, file.split('/').at(-1)));
    await writeFile(join(stage, 'package.json'), JSON.stringify(published(manifest, entries), undefined, 2));
    await mkdir(folder, { recursive: true });
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: stage });
    return join(folder, JSON.parse(stdout)[0].filename);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** The package's own description: no entry leads to sources. */
function published({ name, version, description, license, type, sideEffects, engines }, entries) {
  const exports = entries.map(([entry, { default: script }]) => [
    entry,
    { types: script.replace(/\.js$/, '.d.ts'), default: script },
  ]);
  return {
    ...{ name, version, description, license, type, sideEffects, engines },
    exports: Object.fromEntries(exports),
    files: ['dist'],
  };
}

async function writeTypes(stage, files) {
  const config = join(stage, 'tsconfig.json');
  const compilerOptions = {
    ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, customConditions: [] },
    ...{ rootDir: join(SDK, 'src'), outDir: join(stage, 'dist'), types: ['node'] },
    typeRoots: [join(ROOT, 'node_modules/@types')],
  };
  const extended = join(ROOT, 'tsconfig.base.json');
  await writeFile(config, JSON.stringify({ extends: extended, compilerOptions, files }));
  const compiler = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
  await run(process.execPath, [compiler, '-p', config], { cwd: ROOT });
  await rm(config);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await pack(resolve(ROOT, 'tmp')));
