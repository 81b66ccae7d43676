import type { AuditEntryView } from '@tieline/sdk/api';
import type { actionWords } from './action-words.js';

/** How far back the log goes, in milliseconds. */
export const SPANS = { '24h': 86_400_000, '7d': 604_800_000, '30d': 2_592_000_000 } as const;
/** The type of an action's object: `bot` of `bot.created`. */
type ObjectType<Action extends string> = Action extends `${infer Type}.${string}` ? Type : never;
export type Kind = ObjectType<keyof typeof actionWords.en>;
const ALL_KINDS: Readonly<Record<Kind, true>> = {
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
/** Whoever has no id. */
const NOBODY = ['operator', 'system'] as const;

/** What stands in the address of the audit log. */
export interface AuditSearch {
  /** Id of a person or bot, or `operator`, `system`. */
  who?: string;
  kind?: Kind;
  action?: string;
  /** Id of what something was done to. */
  on?: string;
  span?: keyof typeof SPANS;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ACTION = /^[a-z_]+\.[a-z_]+$/;

/** Reads an address that anybody may have typed; what it cannot mean is left out. */
export function auditSearch(given: Record<string, unknown>): AuditSearch {
  const text = (key: keyof AuditSearch) => (typeof given[key] === 'string' ? given[key] : '');
  const [who, on, action] = [text('who'), text('on'), text('action')];
  const read: AuditSearch = {
    who: ID.test(who) || NOBODY.some((one) => one === who) ? who : undefined,
    kind: KINDS.find((kind) => kind === given.kind),
    action: ACTION.test(action) ? action : undefined,
    on: ID.test(on) ? on : undefined,
    span: (Object.keys(SPANS) as (keyof typeof SPANS)[]).find((span) => span === given.span),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** The query of the log's endpoint. @param now milliseconds */
export function auditQuery({ who, kind, action, on, span }: AuditSearch, now: number) {
  const nobody = NOBODY.find((one) => one === who);
  return {
    ...(nobody ? { actor_type: nobody } : who ? { actor_id: who } : {}),
    ...(kind && { object_type: kind }),
    ...(action && { action }),
    ...(on && { object_id: on }),
    ...(span && { since: new Date(now - SPANS[span]).toISOString() }),
  };
}

/** Whom an entry counts for in the filter. */
export const actorKey = ({ actor_id: id, actor_type: type }: AuditEntryView): string => id ?? type;

/**
 * Names that changes tell: of what was deleted since, nobody else knows them. Entries are newest
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
