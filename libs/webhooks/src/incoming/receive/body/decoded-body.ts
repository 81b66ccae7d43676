import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, inflate, inflateRaw } from 'node:zlib';
import { Rejected } from '../../incoming-webhooks.errors.js';
import { MAX_BODY_BYTES } from './read-body.js';

const LIMIT = { maxOutputLength: MAX_BODY_BYTES };
const BYTE_ORDER_MARKS: readonly (readonly [mark: string, charset: string])[] = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
];

/**
 * Undoes the `Content-Encoding` of a body (docs/incoming-webhooks.md#request-bodies).
 * Signatures cover the bytes before that.
 * @throws Rejected 415 for an encoding other than gzip and deflate, 413 when more than 262144 bytes
 * come out, 400 for broken data
 */
export async function decompressed(body: Buffer, headers: IncomingHttpHeaders): Promise<Buffer> {
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return body;
  if (encoding !== 'gzip' && encoding !== 'x-gzip' && encoding !== 'deflate')
    throw new Rejected(415, 'content encoding is neither gzip nor deflate');
  try {
    return encoding === 'deflate' ? await inflated(body) : await promisify(gunzip)(body, LIMIT);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Rejected(413, `body over ${MAX_BODY_BYTES} bytes when decompressed`);
    throw new Rejected(400, `the body is no ${encoding} data`);
  }
}

/** Some senders leave the zlib header out; its first byte always ends in 8. */
function inflated(body: Buffer): Promise<Buffer> {
  const hasHeader = ((body[0] ?? 0) & 0x0f) === 8 && body.length > 1 && body.readUInt16BE(0) % 31 === 0;
  return promisify(hasHeader ? inflate : inflateRaw)(body, LIMIT);
}

/**
 * The text of a body, without a byte order mark. The mark decides on the charset, then the content
 * type; UTF-8 otherwise.
 */
export function textOf(body: Buffer, contentType: string | undefined): string {
  return decoderOf(charsetOf(body, contentType)).decode(body);
}

/**
 * The fields of a form. Its percent-encoded bytes are in the declared charset, as browsers send
 * them for a page in that charset.
 */
export function formFields(body: Buffer, contentType: string | undefined): URLSearchParams {
  const decoder = decoderOf(charsetOf(body, contentType));
  // UTF-16 has no percent-encoding of its own: such a form is decoded first and read as UTF-8.
  if (decoder.encoding.startsWith('utf-')) return new URLSearchParams(textOf(body, contentType));
  const decode = (part: string): string => decoder.decode(percentDecoded(part));
  const pairs = body.toString('latin1').split('&').filter(Boolean);
  return new URLSearchParams(
    pairs.map((pair): [string, string] => {
      const [name = '', ...value] = pair.split('=');
      return [decode(name), decode(value.join('='))];
    }),
  );
}

/** The bytes of a part of a form, which is given as Latin-1. */
function percentDecoded(part: string): Buffer {
  const bytes = part
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}

function charsetOf(body: Buffer, contentType: string | undefined): string {
  const start = body.subarray(0, 3).toString('hex');
  const marked = BYTE_ORDER_MARKS.find(([mark]) => start.startsWith(mark))?.[1];
  const declared = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1];
  return marked ?? utf16Order(declared, body) ?? 'utf-8';
}

/**
 * Without a mark, UTF-16 of JSON and of nearly every other text shows its byte order by a zero
 * byte.
 */
function utf16Order(declared: string | undefined, body: Buffer): string | undefined {
  return declared?.toLowerCase() === 'utf-16' && body[0] === 0 ? 'utf-16be' : declared;
}

/** A charset that nobody knows is read as UTF-8, in which most of a text is readable. */
function decoderOf(charset: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
