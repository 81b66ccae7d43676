import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';

/**
 * Parses lines `name: value`, as curl and logs print headers, with lower-case names. Skips a
 * request line and leading `> `.
 */
export function headersOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const bare = line.replace(/^[<>] /, '').trim();
    if (bare === '' || /^[A-Z]+ \S+ HTTP\//.test(bare) || bare.startsWith('HTTP/')) continue;
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(bare) ?? [];
    if (name === undefined || value === undefined)
      throw new Failure(`"${bare}" is no header`, EXIT.usage, 'write name: value');
    headers[name.toLowerCase()] = value;
  }
  return headers;
}
