import type { AuditEntryView } from '@tieline/sdk/api';
import type { actionWords } from './action-words.js';

/** Selectable periods, in milliseconds. */
export const SPANS = { '24h': 86_400_000, '7d': 604_800_000, '30d': 2_592_000_000 } as const;
/** The type of an action's object: `bot` of `bot.created`. */
type ObjectType<Action extends string> = Action extends `${infer Type}.${string}` ? Type : never;
type Kind = ObjectType<keyof typeof actionWords.en>;
const ALL_KINDS: Readonly<Record<Kind, true>> = {
  app: true,
  bot: true,
  incoming_webhook: true,
  outgoing_webhook: true,
  slash_command: true,
  user: true,
  session: true,
  push_subscription: true,
  conversation: true,
  space: true,
  notice: true,
};
/**
 * Types of objects in the log. The compiler refuses a list that lacks the type of a named action;
 * the names themselves are not part of the first load.
 */
export const KINDS = Object.keys(ALL_KINDS) as Kind[];
/** Types of objects that belong to a kind with another name. */
const PARTS: Partial<Record<Kind, readonly string[]>> = {
  app: ['app_installation', 'app_request', 'app_authorization'],
};
/** Actors without an id. */
const ACTORS_WITHOUT_ID = ['operator', 'system'] as const;

/** Filters of the audit log, as stored in the address. */
export interface AuditSearch {
  /** Id of a person or bot, or `operator` or `system`. */
  who?: string;
  kind?: Kind;
  action?: string;
  /** Id of the changed object. */
  on?: string;
  span?: keyof typeof SPANS;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ACTION = /^[a-z_]+\.[a-z_]+$/;

/** Parses the filters of an address. Ignores invalid values. */
export function auditSearch(given: Record<string, unknown>): AuditSearch {
  const text = (key: keyof AuditSearch) => (typeof given[key] === 'string' ? given[key] : '');
  const [who, on, action] = [text('who'), text('on'), text('action')];
  const read: AuditSearch = {
    who: ID.test(who) || ACTORS_WITHOUT_ID.some((one) => one === who) ? who : undefined,
    kind: KINDS.find((kind) => kind === given.kind),
    action: ACTION.test(action) ? action : undefined,
    on: ID.test(on) ? on : undefined,
    span: (Object.keys(SPANS) as (keyof typeof SPANS)[]).find((span) => span === given.span),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/**
 * Builds the query for the endpoint.
 *
 * @param now milliseconds
 */
export function auditQuery({ who, kind, action, on, span }: AuditSearch, now: number) {
  const nobody = ACTORS_WITHOUT_ID.find((one) => one === who);
  return {
    ...(nobody ? { actor_type: nobody } : who ? { actor_id: who } : {}),
    ...(kind && { object_type: [kind, ...(PARTS[kind] ?? [])].join(',') }),
    ...(action && { action }),
    ...(on && { object_id: on }),
    ...(span && { since: new Date(now - SPANS[span]).toISOString() }),
  };
}

/** Filter key of an entry's actor. */
export const actorKey = ({ actor_id: id, actor_type: type }: AuditEntryView): string => id ?? type;

/**
 * Names found in recorded changes. For deleted objects there is no other source. Entries are newest
 * first.
 */
export function toldNames(entries: readonly AuditEntryView[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { object_id: id, changes } of entries) {
    const change = (changes.display_name ?? changes.name) as { from?: unknown; to?: unknown } | undefined;
    const name = change?.to ?? change?.from;
    if (!names.has(id) && typeof name === 'string' && name !== '') names.set(id, name);
  }
  return names;
}
