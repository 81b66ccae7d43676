import type { ByteRange } from '../file-storage.js';

/**
 * The one range that a `Range` header asks for of an object of `size` bytes (RFC 9110, section 14).
 * Undefined: the whole object, because the header is absent, malformed, of another unit or of
 * several ranges.
 */
export function requestedRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '')
    return Number(last) === 0 || size === 0
      ? 'unsatisfiable'
      : { start: Math.max(0, size - Number(last)), end: size - 1 };
  if (last !== '' && Number(last) < Number(first)) return undefined;
  if (Number(first) >= size) return 'unsatisfiable';
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/**
 * Whether `If-Range` lets the range stand: it is absent or names these very bytes. A date never
 * does: objects have none to compare.
 */
export function rangeStands(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag;
}

/** Whether `If-None-Match` names these very bytes, so that they need not be sent again. */
export function alreadyHeld(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
}
