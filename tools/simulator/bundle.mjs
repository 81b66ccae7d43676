/**
 * Api and worker in a few large files: reading some 3,000 small ones is most of what a start costs.
 * Made once per build. Every file still finds what lies beside its original.
 */
import { createHash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { cached } from './cache.mjs';

/**
 * `pino` starts threads by the names of its files. Others load the rest by name: bundled as well,
 * there would be two of each.
 */
const LEFT_OUT = /^(pino|pino-pretty|pg|class-transformer|class-validator)(\/|$)/;
/** The names of the files that are in it. */
const CONTENTS = 'contents.json';
const INGREDIENTS = ['package-lock.json', 'tools/simulator/bundle.mjs'];
/** How `libs/platform` loads the settings of every lib, and how it does in the bundle. */
const SETTINGS_FILE = 'discover-settings.js';
const LOADED = 'import(pathToFileURL(file).href)';
const BUNDLED = 'import(`./${path.basename(file, ".js")}.mjs`)';

/**
 * @param {string} root the checkout, built
 * @param {string[]} libs names of its libs
 * @returns {Promise<string>} the folder with `api.mjs`, `worker.mjs` and, to be loaded ahead,
 * `api.module.mjs` and `worker.module.mjs`
 */
export async function ensureBundle(root, libs) {
  return cached(`programs-${await bundleKey(root, libs)}`, (folder) => bundle(root, libs, folder));
}

async function bundle(root, libs, folder) {
  const input = {};
  for (const name of ['api', 'worker']) {
    input[name] = join(root, 'apps', name, 'dist/main.js');
    input[`${name}.module`] = join(root, 'apps', name, `dist/${name}.module.js`);
  }
  for (const lib of libs)
    for (const file of await readdir(join(root, 'libs', lib, 'dist')).catch(() => []))
      if (file === `${lib}.settings.js`) input[`${lib}.settings`] = join(root, 'libs', lib, 'dist', file);
  const made = await rolldown({
    input,
    platform: 'node',
    external: LEFT_OUT,
    // Optional packages that aren't installed stay imports, which fail at the same moment as
    // without a bundle.
    logLevel: 'silent',
    plugins: [originalPlaces, settingsByName],
  });
  // Names of classes are names of entities, providers and schemas.
  const { output } = await made.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    keepNames: true,
  });
  await made.close();
  const contents = output.flatMap((one) => ('moduleIds' in one ? one.moduleIds : []));
  await writeFile(join(folder, CONTENTS), JSON.stringify(contents));
}

const originalPlaces = {
  name: 'original-places',
  transform: {
    // Modules added by the bundler have no path. By name they would be in the working directory.
    filter: { id: { exclude: /^\0/ }, code: /__dirname|__filename|import\.meta\.(dirname|filename|url)/ },
    handler: (code, id) =>
      code
        .replace(/\b__dirname\b|\bimport\.meta\.dirname\b/g, () => JSON.stringify(dirname(id)))
        .replace(/\b__filename\b|\bimport\.meta\.filename\b/g, () => JSON.stringify(id))
        .replace(/\bimport\.meta\.url\b/g, () => JSON.stringify(pathToFileURL(id).href)),
  },
};

const settingsByName = {
  name: 'settings-by-name',
  transform: {
    filter: { id: new RegExp(`${SETTINGS_FILE.replace('.', '\\.')}$`) },
    handler(code, id) {
      if (basename(id) !== SETTINGS_FILE || !code.includes(LOADED))
        throw new Error(`${id} no longer has ${LOADED}: tools/simulator/bundle.mjs has to follow`);
      return code.replace(LOADED, BUNDLED);
    },
  },
};

async function bundleKey(root, libs) {
  const hash = createHash('sha256').update(root);
  const projects = [...libs.map((lib) => join('libs', lib)), 'apps/api', 'apps/worker'];
  const manifests = projects.map((project) => join(project, 'dist/.build.json'));
  for (const file of [...manifests, ...INGREDIENTS]) {
    hash.update(`${file}\n`);
    hash.update(await readFile(join(root, file)).catch(() => ''));
  }
  return hash.digest('hex').slice(0, 16);
}
