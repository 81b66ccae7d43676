/**
 * `npm run pack`: what other projects and machines install, in `tmp/`. `tieline-sdk-<version>.tgz`
 * is `@tieline/sdk`: compiled, with its types, without what only makes sense in this repository
 * (the entry for tests, which starts the product). `tieline-<version>.tgz` is the command line.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from './build.mjs';
import { stageCli } from './pack-cli.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SDK = join(ROOT, 'libs/sdk');
const HERE_ONLY = './testing';
const run = promisify(execFile);

/** @param {string} folder where to put it @returns {Promise<string>} the package's file */
export const pack = (folder) => packed(folder, (stage) => stageSdk(stage, [HERE_ONLY]));

/**
 * The command line, with the whole SDK inside. @param {string} folder where to put it @returns
 * {Promise<string>} the package's file
 */
export const packCli = (folder) => packed(folder, (stage) => stageCli(stage, (place) => stageSdk(place, [])));

async function packed(folder, fill) {
  const stage = await mkdtemp(join(tmpdir(), 'tieline-pack-'));
  try {
    await fill(stage);
    await mkdir(folder, { recursive: true });
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: stage });
    return join(folder, JSON.parse(stdout)[0].filename);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

async function stageSdk(stage, leftOut) {
  await build([SDK]);
  await mkdir(stage, { recursive: true });
  const manifest = JSON.parse(await readFile(join(SDK, 'package.json'), 'utf8'));
  const entries = Object.entries(manifest.exports).filter(([name]) => !leftOut.includes(name));
  const skipped = leftOut.map((name) => join(SDK, 'dist', name));
  await cp(join(SDK, 'dist'), join(stage, 'dist'), {
    recursive: true,
    filter: (path) => !path.endsWith('.build.json') && !skipped.includes(path),
  });
  await writeTypes(
    stage,
    entries.map(([, { types }]) => join(SDK, types)),
  );
  for (const file of ['LICENSE', 'libs/sdk/README.md'])
    await cp(join(ROOT, file), join(stage, basename(file)));
  await writeFile(join(stage, 'package.json'), JSON.stringify(published(manifest, entries), undefined, 2));
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

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const one of [pack, packCli]) console.log(await one(resolve(ROOT, 'tmp')));
