/**
 * What caused an error: the message itself, a temporary condition (a lock, a timeout, lack of
 * resources), or the connection.
 */
export type Fault = 'message' | 'moment' | 'connection';

const CONNECTION = /^(08|57P)/;
/** Errors of the data or the program. They recur on every attempt. */
const MESSAGE = /^(22|23|42|54)/;
const LOST = /connection|timeout exceeded|read timeout/i;

/**
 * Classifies an error by its Postgres or Node.js code. An error without a code comes from our own
 * code and counts as caused by the message.
 */
export function classifyFault(error: unknown): Fault {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (CONNECTION.test(code) || /^E(?!RR_)[A-Z_]+$/.test(code)) return 'connection';
  if (MESSAGE.test(code) || code.startsWith('ERR_')) return 'message';
  if (code !== '') return 'moment';
  return LOST.test(message) ? 'connection' : 'message';
}
