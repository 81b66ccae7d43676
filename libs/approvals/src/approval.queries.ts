import { chatAccess, chatErrors } from '@tieline/conversations';
import { unprepared } from '@tieline/platform/database';
import type { Db, Queryable, RowOf, Tx } from '@tieline/platform/database';
import { pageCursor, pageOf } from '@tieline/platform/http';
import type { BotPrincipal, Page, PageQuery, UserPrincipal } from '@tieline/platform/http';
import type { Approval } from './approval.js';
import { approvalNotFound, approvalOfAnotherBot } from './approvals.errors.js';
import {
  FIND_APPROVAL,
  FIND_BY_EXTERNAL_ID,
  LIST_APPROVALS,
  LIST_DECIDABLE,
  LIST_OF_BOT,
  LOCK_APPROVAL,
} from './approvals.statements.js';
import { mayDecide } from './states/approvers.js';

const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** An approval with its row locked, and the time of the database under the lock. */
export type LockedApproval = RowOf<typeof LOCK_APPROVAL>;

/**
 * Returns an approval of the calling bot.
 *
 * @throws 404 unknown or of another space; 403 another bot's
 */
export async function requireOwnApproval(q: Queryable, bot: BotPrincipal, id: string): Promise<Approval> {
  const [approval] = await q.query(FIND_APPROVAL, [bot.spaceId, id]);
  return owned(approval, bot);
}

/** Like {@link requireOwnApproval}, with its row locked until the end of the transaction. */
export async function lockOwnApproval(tx: Tx, bot: BotPrincipal, id: string): Promise<LockedApproval> {
  return owned(await lockApproval(tx, bot.spaceId, id), bot);
}

/** Returns an approval with its row locked, or undefined if the space has none with this id. */
export async function lockApproval(tx: Tx, spaceId: string, id: string): Promise<LockedApproval | undefined> {
  const [approval] = await tx.query(LOCK_APPROVAL, [spaceId, id]);
  return approval;
}

function owned<A extends Approval>(approval: A | undefined, { botId }: BotPrincipal): A {
  if (!approval) throw approvalNotFound();
  if (approval.botId !== botId) throw approvalOfAnotherBot();
  return approval;
}

/** Returns the approval that a bot created with an external id. */
export async function findByExternalId(
  q: Queryable,
  { spaceId, botId }: BotPrincipal,
  externalId: string,
): Promise<Approval | undefined> {
  const [approval] = await q.query(FIND_BY_EXTERNAL_ID, [spaceId, botId, externalId]);
  return approval;
}

/** Returns approvals of a space, or of one bot, newest first. @throws 400 for a bad cursor */
export async function listApprovals(
  db: Db,
  { spaceId, botId }: { spaceId: string; botId?: string },
  { state, limit, cursor }: PageQuery & { state?: string },
): Promise<Page<Approval>> {
  const before = pageCursor(cursor) || LAST;
  const page = { spaceId, state: state ?? null, before, limit: limit + 1 };
  const rows =
    botId === undefined
      ? await db.query(unprepared(LIST_APPROVALS), page)
      : await db.query(unprepared(LIST_OF_BOT), { ...page, botId });
  return pageOf(rows, limit, ({ id }) => id);
}

/**
 * Returns the pending approvals that a person may decide, newest first.
 *
 * @throws 400 for a bad cursor
 */
export async function listDecidable(
  db: Db,
  { spaceId, userId, role }: UserPrincipal,
  { limit, cursor }: PageQuery,
): Promise<Page<Approval>> {
  const before = pageCursor(cursor) || LAST;
  const rows = await db.query(LIST_DECIDABLE, { spaceId, userId, role, before, limit: limit + 1 });
  return pageOf(rows, limit, ({ id }) => id);
}

/** What a person may do with an approval. */
export interface PersonalRights {
  mayDecide: boolean;
  mayRead: boolean;
}

/** Returns what a person may do with an approval. People who may decide it may read it. */
export async function rightsOf(
  q: Queryable,
  person: UserPrincipal,
  approval: Approval,
): Promise<PersonalRights> {
  const access = await chatAccess.reading(q, person, approval.channelId);
  const { isMember = false, mayRead = false } = access ?? {};
  const may = mayDecide(approval, { userId: person.userId, role: person.role, isMember, mayRead });
  return { mayDecide: may, mayRead: mayRead || may };
}

/**
 * Returns an approval that a person may read, and whether they may decide it.
 *
 * @throws 404 unknown; 403 not readable
 */
export async function requireReadableApproval(
  db: Db,
  person: UserPrincipal,
  id: string,
): Promise<{ approval: Approval; mayDecide: boolean }> {
  const [approval] = await db.query(FIND_APPROVAL, [person.spaceId, id]);
  if (!approval) throw approvalNotFound();
  const rights = await rightsOf(db, person, approval);
  if (!rights.mayRead) throw chatErrors.notReadable();
  const isOpen = approval.state === 'pending' && approval.expiresAt.getTime() > Date.now();
  return { approval, mayDecide: rights.mayDecide && isOpen };
}
