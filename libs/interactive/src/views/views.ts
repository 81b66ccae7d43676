import type { Queryable, RowOf, Tx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import { modalGone, modalNotFound, triggerUsed, viewStackFull } from '../interactive.errors.js';
import {
  END_VIEWS,
  EXTEND_STACK,
  FIND_EXTERNAL_VIEW,
  FIND_HOME,
  FIND_VIEW,
  INSERT_VIEW,
  LOCK_STACK,
  PUT_HOME,
  REPLACE_VIEW,
} from './views.statements.js';

/** An open view of a Slack app: a modal of a person, or the home of a bot for a person. */
export type AppView = RowOf<typeof FIND_VIEW>;

/** Whose views, and of which bot. A person has one stack of modals per bot. */
export interface ViewOwner {
  spaceId: string;
  botId: string;
  userId: string;
}

/** Content of a view. */
export interface ViewContent {
  /** The view as the app sent it, as JSON text. */
  json: string;
  externalId: string | null;
}

/** Maximum depth of a stack, as in Slack. */
const MAX_DEPTH = 3;
/** Time to use a view. Slack's views do not expire. */
const TTL_SECONDS = 86_400;

/** Returns an open view by its id; undefined if it ended, or if its bot or person is gone. */
export async function findView(q: Queryable, spaceId: string, id: string): Promise<AppView | undefined> {
  return (await q.query(FIND_VIEW, [spaceId, id]))[0];
}

/** Returns an open view by the name that its bot gave it. */
export async function findExternalView(
  q: Queryable,
  { spaceId, botId }: { spaceId: string; botId: string },
  externalId: string,
): Promise<AppView | undefined> {
  return (await q.query(FIND_EXTERNAL_VIEW, [spaceId, botId, externalId]))[0];
}

/** Returns the home that a bot published for a person. */
export async function findHome(q: Queryable, owner: ViewOwner): Promise<AppView | undefined> {
  return (await q.query(FIND_HOME, [owner.spaceId, owner.botId, owner.userId]))[0];
}

/**
 * Opens a modal. Open ones of the same bot and person end, so that there is one stack.
 * @param openedBy id of the trigger
 * @returns the view, and the ids of those that ended
 * @throws 410 if the trigger has opened one already
 */
export async function openView(
  tx: Tx,
  owner: ViewOwner,
  content: ViewContent,
  openedBy: string,
): Promise<{ view: AppView; ended: string[] }> {
  const ended = await endViews(tx, owner, 1);
  return { view: await insert(tx, { ...owner, ...content, openedBy, parentId: null, stackDepth: 1 }), ended };
}

/**
 * Opens a modal on top of the person's uppermost one.
 * @param openedBy id of the trigger; undefined for the answer to a submission
 * @throws 404 none is open. 400 three are open. 410 the trigger has opened one already.
 */
export async function pushView(
  tx: Tx,
  owner: ViewOwner,
  content: ViewContent,
  openedBy?: string,
): Promise<AppView> {
  const top = (await tx.query(LOCK_STACK, { ...owner })).at(-1);
  if (!top) throw modalNotFound();
  if (top.depth >= MAX_DEPTH) throw viewStackFull(MAX_DEPTH);
  await tx.query(EXTEND_STACK, { ...owner, ttlSeconds: TTL_SECONDS });
  const place = { parentId: top.id, stackDepth: top.depth + 1 };
  return insert(tx, { ...owner, ...content, ...place, openedBy: openedBy ?? null });
}

/**
 * Replaces the content of an open view.
 * @param revision the version that is replaced; by default any
 * @returns undefined if the view has another revision
 * @throws 410 if the view ended
 */
export async function replaceView(
  tx: Tx,
  { spaceId, id }: { spaceId: string; id: string },
  content: ViewContent,
  revision?: number,
): Promise<AppView | undefined> {
  const rows = await tx.query(REPLACE_VIEW, { spaceId, id, ...content, revision: revision ?? null });
  const view = await findView(tx, spaceId, id);
  if (!view) throw modalGone();
  return rows.length > 0 ? view : undefined;
}

/**
 * Stores the home of a bot for a person.
 * @param revision the version that is replaced; by default any
 * @returns undefined if the home has another revision. Also if the bot or the person is gone.
 */
export async function putHome(
  tx: Tx,
  owner: ViewOwner,
  content: ViewContent,
  revision?: number,
): Promise<AppView | undefined> {
  const home = { ...owner, ...content, id: uuidv7(), revision: revision ?? null };
  const rows = await tx.query(PUT_HOME, home);
  return rows.length > 0 ? findHome(tx, owner) : undefined;
}

/** Ends the person's modals from this depth on. @returns their ids */
export async function endViews(tx: Tx, owner: ViewOwner, fromDepth: number): Promise<string[]> {
  return (await tx.query(END_VIEWS, { ...owner, fromDepth })).map(({ id }) => id);
}

async function insert(
  tx: Tx,
  view: ViewOwner & ViewContent & { openedBy: string | null; parentId: string | null; stackDepth: number },
): Promise<AppView> {
  const id = uuidv7();
  const rows = await tx.query(INSERT_VIEW, { ...view, id, ttlSeconds: TTL_SECONDS });
  if (rows.length === 0) throw triggerUsed();
  const inserted = await findView(tx, view.spaceId, id);
  if (!inserted) throw modalNotFound();
  return inserted;
}
