import { chatAccess } from '@tieline/conversations';
import { findReadyFilesOf } from '@tieline/files';
import type { Queryable } from '@tieline/platform/database';
import { invalidField } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import { findActiveUsers } from '@tieline/spaces';
import { conversationId, slackId } from '../ids/slack-ids.js';
import type { ElementValue } from './element-values.js';
import type { StateValues } from './state.js';

/** The fields of values that have ids. */
const FIELDS = {
  selected_user: 'users',
  selected_users: 'users',
  selected_conversation: 'conversations',
  selected_conversations: 'conversations',
  selected_channel: 'conversations',
  selected_channels: 'conversations',
  files: 'files',
} as const;
type ReferenceKind = (typeof FIELDS)[keyof typeof FIELDS];
/** The most people, conversations or files in the values of one interaction. */
const MAX_REFERENCES = 500;

const RULES: Readonly<Record<ReferenceKind, string>> = {
  users: 'must be a person in this space',
  conversations: 'must be a conversation you can read',
  files: 'must be a file you uploaded',
};

/** What a person sent with an interaction. */
export interface SentValues {
  /** Of the element that was used. */
  readonly value?: ElementValue;
  readonly state: StateValues;
}

/**
 * Replaces the uuids in values by ids in Slack's spelling, and files by objects with such an `id`.
 * @param spelling `native` keeps the uuids
 * @throws ApiError 400 unless all people are active in the space, the person can read all
 * conversations, and uploaded all files
 */
export async function resolveReferences<Sent extends SentValues>(
  q: Queryable,
  person: UserPrincipal,
  sent: Sent,
  spelling: 'slack' | 'native' = 'slack',
): Promise<Sent> {
  const ids = { users: new Set<string>(), conversations: new Set<string>(), files: new Set<string>() };
  mapSent(sent, (kind, id) => ids[kind].add(id));
  const known = await findReferences(q, person, ids);
  return mapSent(sent, (kind, id) => {
    const found = known[kind].get(id);
    if (found === undefined) throw invalidField('value', RULES[kind]);
    const shown = spelling === 'native' ? id : found;
    return kind === 'files' ? { id: shown } : shown;
  });
}

async function findReferences(
  q: Queryable,
  person: UserPrincipal,
  { users, conversations, files }: Readonly<Record<ReferenceKind, ReadonlySet<string>>>,
): Promise<Record<ReferenceKind, Map<string, string>>> {
  const { spaceId, userId } = person;
  if (users.size + conversations.size + files.size > MAX_REFERENCES)
    throw invalidField('value', `at most ${MAX_REFERENCES} people, conversations and files`);
  const foundUsers = users.size > 0 ? await findActiveUsers(q, spaceId, [...users]) : [];
  const foundFiles = files.size > 0 ? await findReadyFilesOf(q, { spaceId, userId }, [...files]) : [];
  const places = new Map<string, string>();
  for (const id of conversations) {
    const access = await chatAccess.reading(q, person, id);
    if (access?.mayRead) places.set(id, conversationId(access.conversation));
  }
  return {
    users: new Map(foundUsers.map((id) => [id, slackId('user', id)])),
    conversations: places,
    files: new Map(foundFiles.map((id) => [id, slackId('file', id)])),
  };
}

type Replace = (kind: ReferenceKind, id: string) => unknown;

/** Copies values, with each id replaced. */
function mapSent<Sent extends SentValues>(sent: Sent, replace: Replace): Sent {
  return {
    ...sent,
    ...(sent.value && { value: mapValue(sent.value, replace) }),
    state: mapFields(sent.state, (block) => mapFields(block, (value) => mapValue(value, replace))),
  };
}

const mapValue = (value: ElementValue, replace: Replace): ElementValue =>
  mapFields(value, (field, name) => {
    const kind = Object.hasOwn(FIELDS, name) ? FIELDS[name as keyof typeof FIELDS] : undefined;
    if (kind === undefined) return field;
    if (Array.isArray(field)) return field.map((id: string) => replace(kind, id));
    return typeof field === 'string' ? replace(kind, field) : field;
  });

function mapFields<Of, To>(
  fields: Readonly<Record<string, Of>>,
  map: (field: Of, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field, name)]));
}
