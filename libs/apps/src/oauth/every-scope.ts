/** Stands for an empty list, because the provider drops empty parameters. */
const NONE = 'none';
const PARAMETERS = ['scope', 'bot_scope', 'user_scope'] as const;

/**
 * Returns the query of an authorization request with every scope in `scope`. The provider knows no
 * other parameter, and denies a request if nothing in `scope` is granted.
 */
export function withEveryScope(search: string): string {
  const query = new URLSearchParams(search);
  // The provider refuses repeated parameters.
  if (PARAMETERS.some((name) => query.getAll(name).length > 1)) return search;
  const [scope, forBot, forPerson] = PARAMETERS.map((name) => query.get(name) || undefined);
  if (forBot === undefined && forPerson === undefined) return search;
  const lists = [forBot ?? scope ?? NONE, forPerson ?? scope ?? NONE] as const;
  query.set('bot_scope', lists[0]);
  query.set('user_scope', lists[1]);
  const names = lists.flatMap((list) => list.split(' ')).filter((name) => name !== NONE);
  query.set('scope', [...new Set(names)].join(' '));
  return `?${query}`;
}
