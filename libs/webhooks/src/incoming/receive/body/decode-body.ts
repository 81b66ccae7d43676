import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, inflate, inflateRaw } from 'node:zlib';
import { RejectedRequest } from '../../incoming-webhooks.errors.js';
import { MAX_BODY_BYTES } from './read-body.js';

const LIMIT = { maxOutputLength: MAX_BODY_BYTES };
const BYTE_ORDER_MARKS: readonly (readonly [mark: string, charset: string])[] = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
];

/**
 * Undoes the `Content-Encoding` of a body. Signatures cover the compressed bytes.
 * @throws RejectedRequest 415 for an encoding other than gzip and deflate.
 * @throws RejectedRequest 413 when the result exceeds 262144 bytes.
 * @throws RejectedRequest 400 for invalid data.
 */
export async function decompress(body: Buffer, headers: IncomingHttpHeaders): Promise<Buffer> {
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return body;
  if (encoding !== 'gzip' && encoding !== 'x-gzip' && encoding !== 'deflate')
    throw new RejectedRequest(415, 'content encoding is neither gzip nor deflate');
  try {
    return encoding === 'deflate' ? await inflateBody(body) : await promisify(gunzip)(body, LIMIT);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new RejectedRequest(413, `body over ${MAX_BODY_BYTES} bytes when decompressed`);
    throw new RejectedRequest(400, `the body is not ${encoding} data`);
  }
}

/**
 * Inflates a body with or without a zlib header, which some senders omit. The header's first byte
 * always ends in 8.
 */
function inflateBody(body: Buffer): Promise<Buffer> {
  const hasHeader = ((body[0] ?? 0) & 0x0f) === 8 && body.length > 1 && body.readUInt16BE(0) % 31 === 0;
  return promisify(hasHeader ? inflate : inflateRaw)(body, LIMIT);
}

/**
 * Decodes a body and removes the byte order mark. The charset is that of the mark, else of the
 * content type, else UTF-8.
 */
export function decodeText(body: Buffer, contentType: string | undefined): string {
  return decoderOf(detectCharset(body, contentType)).decode(body);
}

/**
 * Parses the fields of a form. Its percent-encoded bytes are in the declared charset: browsers
 * encode them like that for a page in that charset.
 */
export function parseFormFields(body: Buffer, contentType: string | undefined): URLSearchParams {
  const decoder = decoderOf(detectCharset(body, contentType));
  // Percent-encoding is not defined for UTF-16. Such a form is decoded first and read as UTF-8.
  if (decoder.encoding.startsWith('utf-')) return new URLSearchParams(decodeText(body, contentType));
  const decode = (part: string): string => decoder.decode(decodePercent(part));
  const pairs = body.toString('latin1').split('&').filter(Boolean);
  return new URLSearchParams(
    pairs.map((pair): [string, string] => {
      const [name = '', ...value] = pair.split('=');
      return [decode(name), decode(value.join('='))];
    }),
  );
}

/** Decodes the bytes of a name or value, which is given as Latin-1. */
function decodePercent(part: string): Buffer {
  const bytes = part
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}

function detectCharset(body: Buffer, contentType: string | undefined): string {
  const start = body.subarray(0, 3).toString('hex');
  const marked = BYTE_ORDER_MARKS.find(([mark]) => start.startsWith(mark))?.[1];
  const declared = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1];
  return marked ?? utf16Order(declared, body) ?? 'utf-8';
}

/**
 * Detects the byte order of UTF-16 without a mark: most texts, including JSON, start with an ASCII
 * character, which has a zero byte.
 */
function utf16Order(declared: string | undefined, body: Buffer): string | undefined {
  return declared?.toLowerCase() === 'utf-16' && body[0] === 0 ? 'utf-16be' : declared;
}

/** Falls back to UTF-8 for unknown charsets, which keeps most of a text readable. */
function decoderOf(charset: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
