/** SQL with a name: prepared once per connection, so that hot statements are neither parsed nor planned again. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

const names = new Map<string, string>();

/**
 * Declares a prepared statement at module level. The name must be unique in the process.
 * @throws Error when another text has the same name.
 */
export function statement(name: string, text: string): Statement {
  const known = names.get(name);
  if (known !== undefined && known !== text) throw new Error(`two statements are named ${name}`);
  names.set(name, text);
  return { name, text };
}
