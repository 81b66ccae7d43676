import { invalidField } from '@tieline/platform/http';

/** The last message of a page. The next page continues before it. */
export interface SearchCursor {
  /** Microseconds since 1970. */
  at: string;
  messageId: string;
}

const CURSOR = /^(\d{1,17})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function cursorText({ at, messageId }: SearchCursor): string {
  return `${at}.${messageId}`;
}

/** @throws 400 for anything but a cursor of an earlier page */
export function readCursor(text: string): SearchCursor {
  const [, at, messageId] = CURSOR.exec(text) ?? [];
  if (at === undefined || messageId === undefined) throw invalidField('cursor', 'invalid cursor');
  return { at, messageId };
}

/** Returns the time of a cursor for PostgreSQL, to the microsecond. */
export function timeOf({ at }: SearchCursor): string {
  const micros = at.padStart(7, '0');
  const [seconds, fraction] = [micros.slice(0, -6), micros.slice(-6)];
  return new Date(Number(seconds) * 1000).toISOString().replace('.000Z', `.${fraction}Z`);
}
