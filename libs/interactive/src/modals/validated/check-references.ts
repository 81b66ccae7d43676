import { chatAccess } from '@tieline/conversations';
import { findReadyFilesOf } from '@tieline/files';
import type { Queryable } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { findActiveUsers } from '@tieline/spaces';
import type { FieldType, ModalField } from './modal-field.js';

type Values = Readonly<Record<string, unknown>>;
type Errors = Record<string, string>;

/**
 * Returns an error for each id that is not usable: people must be active in the space,
 * conversations readable, and files ready and uploaded by the person.
 */
export async function checkReferences(
  q: Queryable,
  person: UserPrincipal,
  fields: readonly ModalField[],
  values: Values,
): Promise<Errors> {
  const { spaceId, userId } = person;
  const named = (type: FieldType) =>
    fields.filter((field) => field.type === type && Object.hasOwn(values, field.id));
  const ids = (of: readonly ModalField[]) => of.map(({ id }) => String(values[id]));
  const [users, files] = [named('user'), named('file')];
  const foundUsers = users.length > 0 ? await findActiveUsers(q, spaceId, ids(users)) : [];
  const foundFiles = files.length > 0 ? await findReadyFilesOf(q, { spaceId, userId }, ids(files)) : [];
  const errors = [
    ...unknown(users, values, foundUsers, 'Must be a person of this space.'),
    ...unknown(files, values, foundFiles, 'Must be a file you uploaded.'),
  ];
  for (const { id } of named('conversation')) {
    const access = await chatAccess.reading(q, person, String(values[id]));
    if (!access?.mayRead) errors.push([id, 'Must be a conversation that you can read.']);
  }
  return Object.fromEntries(errors);
}

function unknown(fields: readonly ModalField[], values: Values, found: readonly string[], text: string) {
  return fields
    .filter(({ id }) => !found.includes(String(values[id])))
    .map(({ id }): [string, string] => [id, text]);
}
