/** A line that clients ignore; it shows both ends, and every proxy between them, that the stream is alive. */
export const PING_FRAME = Buffer.from(':ping\n\n');

/**
 * The bytes of one event: `data: <json>` and an empty line. Make it once per event and hand the same buffer to every
 * stream: nothing is serialised or copied per receiver.
 */
export function sseFrame(event: object): Buffer {
  return Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
}
