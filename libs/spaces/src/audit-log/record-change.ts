import { isDeepStrictEqual } from 'node:util';
import { uuidv7 } from 'uuidv7';
import { shownUrl } from '@tieline/egress';
import { signalAccessChange } from '@tieline/live';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal, UserPrincipal } from '@tieline/platform/http';
import type { ActorType, Changes } from './audit-entry.entity.js';
import { INSERT_ENTRIES } from './audit-log.statements.js';

/** The actor of a change and its network address; `ip` is null without a request. */
export interface Origin {
  actorId: string | null;
  actorType: ActorType;
  ip: string | null;
}

/** The input of {@link recordChange}. */
export interface ChangeRecord extends Origin {
  spaceId: string;
  /** `<object>.<what happened>`, e.g. `bot.token_regenerated`. */
  action: string;
  objectType: string;
  objectId: string;
  /** Fields by their wire names; never a secret or a token. */
  changes: Changes;
}

/** Object types that tokens depend on: open streams are authorized again after each change. */
const HOLD_TOKENS: readonly string[] = ['bot', 'user', 'space'];

/**
 * Writes a change to the space's audit log, in the transaction of the change
 * (docs/security.md#audit-log). Refused attempts and requests that change nothing are not recorded.
 * Addresses are recorded without their query, so a change of the query shows the same address
 * twice.
 */
export function recordChange(tx: Tx, record: ChangeRecord): Promise<void> {
  return recordChanges(tx, [record]);
}

/** Records several changes of one transaction, see {@link recordChange}. */
export async function recordChanges(tx: Tx, records: readonly ChangeRecord[]): Promise<void> {
  for (const { objectType, objectId } of records)
    if (HOLD_TOKENS.includes(objectType)) await signalAccessChange(tx, objectId);
  await tx.query(INSERT_ENTRIES, {
    spaceIds: records.map(({ spaceId }) => spaceId),
    ids: records.map(() => uuidv7()),
    actorIds: records.map(({ actorId }) => actorId),
    actorTypes: records.map(({ actorType }) => actorType),
    actions: records.map(({ action }) => action),
    objectTypes: records.map(({ objectType }) => objectType),
    objectIds: records.map(({ objectId }) => objectId),
    changes: records.map(({ changes }) => JSON.stringify(shownChanges(changes))),
    ips: records.map(({ ip }) => ip),
  });
}

const ADDRESS = /^https?:/i;

/**
 * Returns the changes with every address reduced by {@link shownUrl}, in any field, so that callers
 * need not do it.
 */
export function shownChanges(changes: Changes): Changes {
  return shown(changes) as Changes;
}

function shown(value: unknown): unknown {
  if (typeof value === 'string') return ADDRESS.test(value) ? shownUrl(value) : value;
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, shown(of)]));
}

/**
 * Returns the fields of `after` that differ from `before`, for {@link ChangeRecord.changes}. With
 * `before` null: of a new object.
 */
export function changesBetween(
  before: Readonly<Record<string, unknown>> | null,
  after: Readonly<Record<string, unknown>>,
): Changes {
  const pairs = Object.entries(after).map(
    ([field, to]) => [field, { from: before?.[field] ?? null, to: to ?? null }] as const,
  );
  return Object.fromEntries(pairs.filter(([, { from, to }]) => !isDeepStrictEqual(from, to)));
}

/** Tieline itself as the origin of a change. */
export const BY_SYSTEM: Origin = { actorId: null, actorType: 'system', ip: null };

/** A person's request as the origin of a change. */
export function byUser({ userId }: Pick<UserPrincipal, 'userId'>, ip: string): Origin {
  return { actorId: userId, actorType: 'user', ip };
}

/** A bot's request as the origin of a change. */
export function byBot({ botId }: Pick<BotPrincipal, 'botId'>, ip: string): Origin {
  return { actorId: botId, actorType: 'bot', ip };
}

/**
 * Returns the origin of a request through a portal link, whose user is unknown. The action names
 * the link.
 */
export function byPortalLink(ip: string): Origin {
  return { ...BY_SYSTEM, ip };
}

/** Returns the origin of a change by the operator. */
export function byOperator(ip: string): Origin {
  return { actorId: null, actorType: 'operator', ip };
}
