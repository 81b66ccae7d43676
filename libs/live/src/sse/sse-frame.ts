/**
 * A line that clients ignore; it shows both ends, and every proxy between them, that the stream is
 * alive.
 */
export const PING_FRAME = Buffer.from(':ping\n\n');

/**
 * The bytes of one event: `data: <json>` and an empty line, before them `id: <id>` where one is
 * given. Make it once per event and hand the same buffer to every stream: nothing is serialised or
 * copied per receiver.
 */
export function sseFrame(event: object, id?: number): Buffer {
  return Buffer.from(`${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(event)}\n\n`);
}
