import { EXIT } from '../output/exit-codes.js';
import { Failure } from '../output/failures.js';

/**
 * Parses `name=text` and `name:=json`. A repeated name creates a list.
 *
 * @throws Failure for other texts
 */
export function fieldValues(pairs: readonly string[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const pair of pairs) {
    const [, name, isJson, text] = /^([^=:]+)(:?)=([\s\S]*)$/.exec(pair) ?? [];
    if (name === undefined || text === undefined)
      throw new Failure(`"${pair}" is no field=value`, EXIT.usage);
    const value = isJson ? json(pair, text) : text;
    values[name] = name in values ? [values[name], value].flat() : value;
  }
  return values;
}

function json(pair: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(`what follows := in "${pair}" is no JSON`, EXIT.usage);
  }
}
