/** Length of an encoded id. */
export const UUID_BYTES = 16;
const NO_ID = Buffer.alloc(UUID_BYTES);

/** Encodes ids in 16 bytes each. A missing id is 16 zero bytes. */
export function encodeIds(ids: readonly (string | null)[]): Buffer {
  return Buffer.concat(ids.map((id) => (id === null ? NO_ID : Buffer.from(id.replaceAll('-', ''), 'hex'))));
}

/** Decodes the id with the index `n` of those that begin at the offset `start`. */
export function decodeId(bytes: Buffer, start: number, n: number): string | null {
  const at = start + n * UUID_BYTES;
  const id = bytes.subarray(at, at + UUID_BYTES);
  if (id.equals(NO_ID)) return null;
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
