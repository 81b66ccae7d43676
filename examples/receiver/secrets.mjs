/**
 * The valid secrets of each address, in a file that admin.mjs writes and the receiver reads:
 * {"/events": [{secret, until?}]}.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';

const { SECRETS_FILE = 'secrets.json' } = process.env;

async function read() {
  try {
    return JSON.parse(await readFile(SECRETS_FILE, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}

/**
 * Returns the secrets of an address. Reads the file for every request, so that a rotation needs no
 * restart.
 */
export async function secretsOf(path) {
  const { [path]: secrets = [] } = await read();
  return secrets
    .filter(({ until }) => until === undefined || Date.parse(until) > Date.now())
    .map(({ secret }) => secret);
}

/** Stores a new secret, and keeps the previous one until its overlap ends. */
export async function addSecret(path, secret, previousUntil) {
  const secrets = await read();
  const [previous] = secrets[path] ?? [];
  secrets[path] = [
    { secret },
    ...(previous && previousUntil ? [{ secret: previous.secret, until: previousUntil }] : []),
  ];
  await writeFile(`${SECRETS_FILE}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  await rename(`${SECRETS_FILE}.new`, SECRETS_FILE);
}
