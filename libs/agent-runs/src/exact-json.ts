/*
 * A run's sequence is a 64-bit integer, and JSON numbers beyond 2^53 do not survive JSON.parse and JSON.stringify. These
 * two read one such field from the text of a body, and write integers as they are.
 */

const WHITE = /[\s]/;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const SCALAR = /[^\s,\]}]+/y;

/**
 * The integer that a member of a JSON object holds, exactly.
 *
 * @param json text of an object, parsed without error before
 * @param parsed what JSON.parse made of that member
 * @returns undefined when it is no integer
 */
export function exactInteger(json: string, name: string, parsed: unknown): bigint | undefined {
  if (typeof parsed !== 'number' || !Number.isInteger(parsed)) return undefined;
  if (Number.isSafeInteger(parsed)) return BigInt(parsed);
  const literal = memberLiteral(json, name);
  return literal !== undefined && /^-?\d+$/.test(literal) ? BigInt(literal) : BigInt(parsed);
}

/** The text of a scalar member of the object; of several with one name the last, as JSON.parse has it. */
function memberLiteral(json: string, name: string): string | undefined {
  let depth = 0;
  let key: string | undefined;
  let found: string | undefined;
  for (let at = 0; at < json.length;) {
    const char = json[at] as string;
    if (WHITE.test(char) || char === ',' || char === ':') at += 1;
    else if (char === '{' || char === '[') [depth, key, at] = [depth + 1, undefined, at + 1];
    else if (char === '}' || char === ']') [depth, at] = [depth - 1, at + 1];
    else {
      const token = tokenAt(json, at);
      at += token.length;
      if (depth !== 1) continue;
      if (key === undefined && char === '"') key = JSON.parse(token) as string;
      else {
        if (key === name) found = token;
        key = undefined;
      }
    }
  }
  return found;
}

function tokenAt(json: string, at: number): string {
  const pattern = json[at] === '"' ? STRING : SCALAR;
  pattern.lastIndex = at;
  return pattern.exec(json)?.[0] ?? (json[at] as string);
}

/** Stands for a number until the text is made; no text of ours can hold it, because NUL is refused at the edge. */
const MARK = '\0';
const MARKED = /"\\u0000(-?\d+)"/g;

/** JSON.stringify that writes bigints as numbers, digit by digit. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'bigint' ? `${MARK}${part}` : part,
  ).replace(MARKED, '$1');
}
