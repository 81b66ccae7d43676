/** Rules of AGENTS.md about files rather than code. */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const FORBIDDEN_NAME = /^(utils?|helpers?|commons?|managers?|base|misc|shared)$/i;

/**
 * @param {string} root
 * @param {string[]} files paths from the root
 * @returns {Promise<string[]>} one sentence per problem
 */
export async function houseRuleProblems(root, files) {
  return [
    ...files.flatMap(nameProblems),
    ...files.flatMap(recordingProblems),
    ...files.flatMap(barrelProblems),
    ...testlessLibs(files),
    ...(await unfinished(root, files)),
    ...(await scatteredSettings(root, files)),
  ];
}

/** Such names say nothing about what is inside. Parts count as well: `retry-utils.ts`. */
function nameProblems(file) {
  if (!/^(apps|libs|tools)\//.test(file)) return [];
  const words = file.split('/').flatMap((segment) => segment.split(/[.-]/));
  return words.some((word) => FORBIDDEN_NAME.test(word)) ? [`${file}: name it after what it does`] : [];
}

/** What Node.js records of a process has paths, host names and memory of the machine. */
function recordingProblems(file) {
  return /\.(?:heapsnapshot|heapprofile|cpuprofile)$|(?:^|\/)(?:core|isolate-\S+\.log)$/.test(file)
    ? [`${file}: a recording of a process does not belong here`]
    : [];
}

/** A lib has one public surface (and at most one for tests); platform has one per part. */
function barrelProblems(file) {
  if (!/^libs\/.*\/index\.ts$/.test(file)) return [];
  const allowed = file.startsWith('libs/platform/')
    ? /^libs\/platform\/src\/[^/]+\/index\.ts$/
    : /^libs\/[^/]+\/src\/(testing\/)?index\.ts$/;
  return allowed.test(file) ? [] : [`${file}: no barrel inside a lib`];
}

function testlessLibs(files) {
  const libs = new Set(
    files.filter((file) => /^libs\/[^/]+\/src\/.*\.ts$/.test(file)).map((file) => file.split('/')[1]),
  );
  return [...libs]
    .filter((lib) => !files.some((file) => file.startsWith(`libs/${lib}/src/`) && /spec\.ts$/.test(file)))
    .map((lib) => `libs/${lib}: has no tests`);
}

/** A setting is found where the program looks for settings. */
async function scatteredSettings(root, files) {
  const others = files.filter(
    (file) => /^(apps|libs)\/.*\.ts$/.test(file) && !/spec\.ts$/.test(file) && !isSettingsFile(file),
  );
  const found = await Promise.all(
    others.map(async (file) => {
      const declares = /^[^*/'`]*\bclass \w+ extends settings\(/m.test(
        await readFile(join(root, file), 'utf8'),
      );
      return declares ? [`${file}: settings are declared in libs/<lib>/src/<lib>.settings.ts`] : [];
    }),
  );
  return found.flat();
}

function isSettingsFile(file) {
  const [, lib, name] = /^libs\/([^/]+)\/src\/([^/]+)\.settings\.ts$/.exec(file) ?? [];
  return lib !== undefined && lib === name;
}

/** ESLint sees TypeScript only. */
async function unfinished(root, files) {
  const others = files.filter(
    (file) => /\.(sql|mjs|js|md|ya?ml)$/.test(file) && basename(file) !== 'house-rules.mjs',
  );
  const found = await Promise.all(
    others.map(async (file) =>
      /(^|\W)(TODO|FIXME)(\W|$)/.test(await readFile(join(root, file), 'utf8'))
        ? [`${file}: marks work as unfinished`]
        : [],
    ),
  );
  return found.flat();
}
