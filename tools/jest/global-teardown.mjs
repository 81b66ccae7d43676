import { rm } from 'node:fs/promises';

export default async function globalTeardown() {
  const started = globalThis.tielineTestServer;
  if (!started) return;
  await started.server.stop();
  await rm(started.dataDir, { recursive: true, force: true });
}
