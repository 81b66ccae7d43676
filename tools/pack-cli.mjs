/**
 * Packs `tieline` for any machine: the command line with all its imports, so that installing it
 * needs no registry. Commands that run the product (`dev`, `backup`, `restore`) find a checkout
 * through TIELINE_HOME, or explain what to do.
 */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLI = join(ROOT, 'apps/cli');
/** Bundled dependencies besides the SDK. */
const BUNDLED = ['commander', 'pg', 'ws'];
const isSource = (path) => !path.endsWith('.build.json');

const BIN = `#!/usr/bin/env node
import { main } from '../dist/main.js';
process.exitCode = await main(process.argv.slice(2));
// A stream or a socket that is still open must not keep a finished command alive.
process.stdout.write('', () => process.exit());
`;

/**
 * @param {string} stage an empty folder @param {(folder: string) => Promise<void>} writeSdk writes
 * the SDK's package there
 */
export async function stageCli(stage, writeSdk) {
  await build([CLI]);
  const { version, description, license, type, engines, bin } = await manifestOf(CLI);
  await cp(join(CLI, 'dist'), join(stage, 'dist'), { recursive: true, filter: isSource });
  await mkdir(join(stage, 'bin'));
  await writeFile(join(stage, 'bin/tieline.mjs'), BIN, { mode: 0o755 });
  await cp(join(ROOT, 'LICENSE'), join(stage, 'LICENSE'));
  await cp(join(ROOT, 'docs/cli.md'), join(stage, 'README.md'));
  await writeSdk(join(stage, 'node_modules/@tieline/sdk'));
  const dependencies = { '@tieline/sdk': version };
  for (const name of BUNDLED) dependencies[name] = await bundle(stage, name);
  const manifest = { name: 'tieline', version, description, license, type, engines, bin };
  const told = {
    ...manifest,
    files: ['bin', 'dist'],
    dependencies,
    bundleDependencies: Object.keys(dependencies),
  };
  await writeFile(join(stage, 'package.json'), JSON.stringify(told, undefined, 2));
}

/** Copies a package and what it needs. @returns its version */
async function bundle(stage, name) {
  const from = join(ROOT, 'node_modules', name);
  const { version, dependencies = {} } = await manifestOf(from);
  await cp(from, join(stage, 'node_modules', name), { recursive: true, dereference: true });
  for (const one of Object.keys(dependencies)) await bundle(stage, one);
  return version;
}

const manifestOf = async (folder) => JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
