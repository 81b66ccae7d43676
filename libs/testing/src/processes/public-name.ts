import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { TEST_CA } from '../servers/test-certificates.js';
import { REPOSITORY } from './repository.js';

const ROUTE = path.join(REPOSITORY, 'libs', 'testing', 'dist', 'processes', 'public-name-route.js');

/**
 * Returns Node settings for a process that must reach a {@link startTlsReceiver}: `receiver.test`
 * resolves to a public address that leads to loopback, and the test certificates are trusted. The
 * product's own checks stay active.
 */
export async function publicName(): Promise<{ env: Record<string, string>; close: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tieline-ca-'));
  const file = path.join(folder, 'ca.pem');
  await writeFile(file, TEST_CA);
  return {
    env: { NODE_EXTRA_CA_CERTS: file, NODE_OPTIONS: `--import ${pathToFileURL(ROUTE).href}` },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
