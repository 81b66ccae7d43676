/**
 * What travels: lines of text. `<channel>\t<json>` is a message; lines that begin with a tab are
 * the bus's own. JSON has no raw line ends and a channel has no tabs, so nothing needs escaping,
 * and a process finds out whether anybody wants a message without parsing it.
 */

/** A line that says: messages of the sender were dropped before this. */
export const GAP_LINE = '\tgap';

const CHANNEL = /^[^\t\r\n]{1,200}$/;
const MAX_LINE_BYTES = 1_048_576;

/**
 * The line of a message; undefined when the channel is malformed, the payload is no JSON, or both
 * are over 1 MiB.
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

/** The channel of a message's line. */
export function channelOf(line: string): string {
  return line.slice(0, line.indexOf('\t'));
}

/** The payload of a message's line. */
export function payloadOf(line: string): unknown {
  return JSON.parse(line.slice(line.indexOf('\t') + 1));
}

/**
 * A line that stands for a message that is kept elsewhere, under `id`, because it is too large for
 * a frame.
 */
export function spilledLine(id: string, channel: string): string {
  return `\tspilled\t${id}\t${channel}`;
}

/** What a spilled line stands for; undefined for other lines. */
export function parseSpilled(line: string): { id: string; channel: string } | undefined {
  if (!line.startsWith('\tspilled\t')) return undefined;
  const [, , id, channel] = line.split('\t');
  return id === undefined || channel === undefined ? undefined : { id, channel };
}

/**
 * Packs lines, in order, into as few frames as possible. Each begins with `stamp()`, a line that
 * makes it unlike every other: Postgres delivers equal notifications of one transaction only once.
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

/** The lines of a frame. */
export function unpackFrame(frame: string): string[] {
  return frame.split('\n').slice(1);
}
