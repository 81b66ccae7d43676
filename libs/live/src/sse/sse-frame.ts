/**
 * A comment line that clients ignore. It shows both ends and every proxy that the stream is alive.
 */
export const PING_FRAME = Buffer.from(':ping\n\n');

/**
 * Returns the bytes of one event: an optional `id: <id>`, `data: <json>` and an empty line. Create
 * it once per event and pass the same buffer to every stream, so that nothing is serialized or
 * copied per receiver.
 */
export function sseFrame(event: object, id?: number): Buffer {
  return Buffer.from(`${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(event)}\n\n`);
}
