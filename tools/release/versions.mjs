/** Everything that says which version this is. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Texts with the version in them, and what stands before and after it.
 * @type {[file: string, before: string, after: string][]}
 */
const TEXTS = [
  ['libs/platform/src/config/version.ts', "VERSION = '", "'"],
  ['libs/sdk/src/version.ts', "SDK_VERSION = '", "'"],
  ['sdk/python/pyproject.toml', 'version = "', '"'],
  ['sdk/python/tieline/version.py', 'VERSION = "', '"'],
  ['docker/helm/Chart.yaml', '\nversion: ', '\n'],
  ['docker/helm/Chart.yaml', '\nappVersion: ', '\n'],
  ['docs/outgoing-webhooks.md', 'User-Agent: Tieline/', '\n'],
  ['docs/push.md', 'User-Agent: Tieline/', '\n'],
];
const LOCK = 'package-lock.json';
const DOCUMENTS = ['docs/openapi.json', 'docs/webhooks.json'];

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const patternOf = ([, before, after]) =>
  new RegExp(`(${escaped(before)})(\\d+\\.\\d+\\.\\d+[^'"\\n]*)(${escaped(after)})`);

/** @returns {Promise<string[]>} package.json of the repository and of all that is in it */
async function manifests(root) {
  const groups = ['apps', 'libs'].map(async (group) =>
    (await readdir(join(root, group))).map((name) => `${group}/${name}/package.json`),
  );
  return ['package.json', ...(await Promise.all(groups)).flat()];
}

const isOurs = (place) => place === '' || /^(apps|libs)\/[^/]+$/.test(place);

/**
 * @param {string} root @returns {Promise<{ file: string, version: string | undefined }[]>} every
 * place, with what it says
 */
export async function versionsIn(root) {
  const read = (file) => readFile(join(root, file), 'utf8');
  const json = async (file) => JSON.parse(await read(file));
  const found = [];
  for (const file of await manifests(root)) found.push({ file, version: (await json(file)).version });
  for (const text of TEXTS)
    found.push({ file: text[0], version: patternOf(text).exec(await read(text[0]))?.[2] });
  for (const [place, { version, link }] of Object.entries((await json(LOCK)).packages))
    if (isOurs(place) && !link) found.push({ file: `${LOCK}: ${place || 'itself'}`, version });
  for (const file of DOCUMENTS) found.push({ file, version: (await json(file)).info.version });
  return found;
}

/**
 * Writes a version everywhere. @param {string} root @param {string} version such as `1.2.3` or
 * `1.2.3-rc.1`
 */
export async function setVersion(root, version) {
  const change = async (file, edit) => {
    const path = join(root, file);
    const text = await readFile(path, 'utf8');
    await writeFile(path, edit(text));
  };
  const inJson = (edit) => (text) => {
    const value = JSON.parse(text);
    edit(value);
    return `${JSON.stringify(value, undefined, 2)}\n`;
  };
  // The first is the file's own: what follows belongs to dependencies.
  const own = (text) => text.replace(/("version": ")[^"]+(")/, `$1${version}$2`);
  for (const file of await manifests(root)) await change(file, own);
  for (const text of TEXTS)
    await change(text[0], (content) => content.replace(patternOf(text), `$1${version}$3`));
  await change(
    LOCK,
    inJson((lock) => {
      lock.version = version;
      for (const [place, entry] of Object.entries(lock.packages))
        if (isOurs(place) && !entry.link) entry.version = version;
    }),
  );
  for (const file of DOCUMENTS)
    await change(
      file,
      inJson((document) => void (document.info.version = version)),
    );
}
