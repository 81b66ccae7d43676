/**
 * Whose fault an error is: the message's own, the moment's (a lock, a timeout, too little room), or
 * the connection's.
 */
export type Fault = 'message' | 'moment' | 'connection';

const CONNECTION = /^(08|57P)/;
/** What the data or the program makes impossible: it will be the same next time. */
const MESSAGE = /^(22|23|42|54)/;
const LOST = /connection|timeout exceeded|read timeout/i;

/**
 * Tells by the code of Postgres or Node.js; an error without one is our own program's, hence the
 * message's.
 */
export function faultOf(error: unknown): Fault {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (CONNECTION.test(code) || /^E(?!RR_)[A-Z_]+$/.test(code)) return 'connection';
  if (MESSAGE.test(code) || code.startsWith('ERR_')) return 'message';
  if (code !== '') return 'moment';
  return LOST.test(message) ? 'connection' : 'message';
}
