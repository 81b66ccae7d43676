import { chatAccess } from '@tieline/conversations';
import type { Queryable } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { findActiveUsers } from '@tieline/spaces';
import type { CommandOption, OptionValues } from './command-option.js';
import { OptionError } from './given-options.js';

/** Checks that the people are active in the space and the caller may read the conversations. */
export async function checkReferences(
  q: Queryable,
  caller: UserPrincipal,
  options: readonly CommandOption[],
  values: OptionValues,
): Promise<OptionError | undefined> {
  const given = options.filter(({ name }) => Object.hasOwn(values, name));
  const users = given.filter(({ type }) => type === 'user');
  const found = new Set(
    await findActiveUsers(
      q,
      caller.spaceId,
      users.map(({ name }) => String(values[name])),
    ),
  );
  for (const { name } of users)
    if (!found.has(String(values[name]))) return new OptionError(`“${name}” must be a person in this space.`);
  for (const { name } of given.filter(({ type }) => type === 'conversation')) {
    const access = await chatAccess.reading(q, caller, String(values[name]));
    if (!access?.mayRead) return new OptionError(`“${name}” must be a conversation you can read.`);
  }
  return undefined;
}
