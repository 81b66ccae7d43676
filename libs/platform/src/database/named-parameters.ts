/** SQL in which a colon or a dollar sign is no parameter: strings, names, comments and casts. */
const OPAQUE = [
  String.raw`\bE'(?:\\[^]|''|[^'\\])*'`,
  `'(?:''|[^'])*'`,
  `"[^"]*"`,
  String.raw`\$((?:[a-z_]\w*)?)\$[^]*?\$\1\$`,
  '--.*',
  String.raw`/\*[^]*?\*/`,
  '::',
].join('|');

/** A colon after a value separates the bounds of an array slice: `days[1:n]`. */
const PARAMETER = String.raw`(?<![\w)\]"]):([a-z_]\w*)|(?<!\w)(\$\d+)`;

/** Finds what is opaque, the names of parameters (second group) and their numbers (third). */
export const TOKENS = new RegExp(`${OPAQUE}|${PARAMETER}`, 'gi');

/**
 * Replaces `:spaceId` by the number of the parameter `spaceId`: `$1` for the first of `params`.
 * Leaves strings, comments, casts (`::uuid`) and array slices (`days[1:n]`) unchanged. The text
 * starts with its first word, as `pg_stat_activity` shows it.
 *
 * @param statement its name, for errors
 * @param params names in the order of their numbers
 * @throws if the SQL uses a parameter that is not declared, or `$1`, or not all that are declared
 */
export function withNumbers(statement: string, params: readonly string[], sql: string): string {
  const numbers = new Map(params.map((name, index) => [name, `$${index + 1}`]));
  const used = new Set<string>();
  const text = sql.trim().replace(TOKENS, (token: string, _tag: string, name?: string, position?: string) => {
    if (position !== undefined)
      throw new Error(`${statement}: ${position} is used, but the parameters have names`);
    if (name === undefined) return token;
    const number = numbers.get(name);
    if (number === undefined) throw new Error(`${statement}: parameter ${name} is not declared`);
    used.add(name);
    return number;
  });
  const unused = params.filter((name) => !used.has(name));
  if (unused.length > 0) throw new Error(`${statement}: parameter ${unused.join(', ')} is not used`);
  return text;
}
