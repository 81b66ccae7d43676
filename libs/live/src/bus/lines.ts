/**
 * The line format of the bus. `<channel>\t<json>` is a message. Lines that start with a tab are
 * control lines. JSON has no raw line breaks and a channel has no tabs, so nothing needs escaping,
 * and a process knows without parsing whether it has a subscriber.
 */

/** Control line: the sender dropped messages before this line. */
export const GAP_LINE = '\tgap';

const CHANNEL = /^[^\t\r\n]{1,200}$/;
const MAX_LINE_BYTES = 1_048_576;

/**
 * Returns the line of a message, or undefined for a malformed channel, a payload that is not JSON,
 * or more than 1 MiB.
 */
export function lineOf(channel: string, payload: unknown): string | undefined {
  if (!CHANNEL.test(channel)) return undefined;
  let json: string | undefined;
  try {
    json = JSON.stringify(payload === undefined ? null : payload);
  } catch {
    return undefined;
  }
  if (json === undefined) return undefined;
  const line = `${channel}\t${json}`;
  return line.length > MAX_LINE_BYTES || Buffer.byteLength(line) > MAX_LINE_BYTES ? undefined : line;
}

/** Returns the channel of a message line. */
export function channelOf(line: string): string {
  return line.slice(0, line.indexOf('\t'));
}

/** Returns the payload of a message line. */
export function payloadOf(line: string): unknown {
  return JSON.parse(line.slice(line.indexOf('\t') + 1));
}

/** Returns a line that refers to a stored message by `id`, for messages too large for a frame. */
export function spilledLine(id: string, channel: string): string {
  return `\tspilled\t${id}\t${channel}`;
}

/** Returns the reference of such a line, or undefined for other lines. */
export function parseSpilled(line: string): { id: string; channel: string } | undefined {
  if (!line.startsWith('\tspilled\t')) return undefined;
  const [, , id, channel] = line.split('\t');
  return id === undefined || channel === undefined ? undefined : { id, channel };
}

/**
 * Packs lines, in order, into as few frames as possible. Each starts with a unique line `stamp()`,
 * because Postgres delivers identical notifications of a transaction only once.
 */
export function packFrames(lines: readonly string[], maxBytes: number, stamp: () => string): string[] {
  const frames: string[] = [];
  let frame = '';
  let bytes = 0;
  for (const line of lines) {
    const lineBytes = Buffer.byteLength(line) + 1;
    if (frame === '' || bytes + lineBytes > maxBytes) {
      if (frame !== '') frames.push(frame);
      frame = stamp();
      bytes = Buffer.byteLength(frame);
    }
    frame += `\n${line}`;
    bytes += lineBytes;
  }
  if (frame !== '') frames.push(frame);
  return frames;
}

/** Returns the lines of a frame. */
export function unpackFrame(frame: string): string[] {
  return frame.split('\n').slice(1);
}
