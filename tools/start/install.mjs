/** Installing the dependencies when they are missing or not those of package-lock.json. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const OLDEST_NODE = [20, 19];

/** @throws when this Node is too old */
export function requireNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new Error(`Tieline needs Node.js ${OLDEST_NODE.join('.')} or newer; this is ${version}.`);
}

/**
 * Runs `npm ci` when it is needed.
 * @param {string} root the checkout
 * @param {(line: string) => void} say progress
 * @param {AbortSignal} [signal] stops it
 */
export async function ensureInstalled(root, say, signal) {
  if (await isInstalled(root)) return;
  const started = Date.now();
  say('installing the dependencies (npm ci), usually half a minute …');
  const progress = setInterval(
    () => say(`  still installing, ${Math.round((Date.now() - started) / 1000)} s`),
    10_000,
  );
  try {
    await npmCi(root, signal);
  } finally {
    clearInterval(progress);
  }
  say(`installed in ${Math.round((Date.now() - started) / 1000)} s`);
}

/**
 * npm leaves a list of what it really installed: every package of the lockfile must be in it, in
 * the same version.
 * @param {string} root
 */
async function isInstalled(root) {
  const [wanted, present] = await Promise.all([
    readLock(join(root, 'package-lock.json')),
    readLock(join(root, 'node_modules', '.package-lock.json')),
  ]);
  if (!wanted || !present) return false;
  return Object.entries(wanted.packages).every(([path, entry]) => {
    if (!path.startsWith('node_modules/') || entry.optional || entry.devOptional) return true;
    const installed = present.packages[path];
    return installed !== undefined && installed.version === entry.version;
  });
}

/** @param {string} path */
async function readLock(path) {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text && JSON.parse(text);
}

/** @param {string} root @param {AbortSignal | undefined} signal */
function npmCi(root, signal) {
  // Started by npm, the same npm is used; it may not be on the PATH.
  const cli = process.env.npm_execpath?.endsWith('.js') ? process.env.npm_execpath : undefined;
  const [command, ...first] = cli ? [process.execPath, cli] : ['npm'];
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, 'ci', '--include=dev', '--no-audit', '--no-fund'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    });
    let output = '';
    child.stdout.on('data', (part) => (output += part));
    child.stderr.on('data', (part) => (output += part));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(undefined);
      else reject(new Error(`npm ci failed:\n${output.trim()}`));
    });
  });
}
