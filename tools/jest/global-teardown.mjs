/** How long a run may go on after its last test. */
const PATIENCE_MS = 5_000;

export default async function globalTeardown() {
  await globalThis.tielineTestServer?.stop();
  // A test that failed half-way may leave a client behind, which would keep the process for ever.
  // Jest names the problem after a second; the exit code stays the one of the tests.
  setTimeout(() => process.exit(), PATIENCE_MS).unref();
}
