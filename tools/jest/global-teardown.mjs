export default async function globalTeardown() {
  await globalThis.tielineTestServer?.stop();
}
