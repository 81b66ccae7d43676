import type { Queryable, RowOf } from '@tieline/platform/database';
import { shortcutNotFound } from '../interactive.errors.js';
import { FIND_SHORTCUT, LIST_SHORTCUTS_OF_BOT, LIST_SHORTCUTS_OF_SPACE } from './shortcuts.statements.js';

/** A shortcut of a bot. */
export type Shortcut = RowOf<typeof LIST_SHORTCUTS_OF_BOT>;
/** A shortcut as people see it. */
export type ListedShortcut = RowOf<typeof LIST_SHORTCUTS_OF_SPACE>;
/** A shortcut that a person uses. */
export type UsedShortcut = RowOf<typeof FIND_SHORTCUT>;

/** Returns the shortcuts of a bot, by name. */
export function shortcutsOfBot(q: Queryable, spaceId: string, botId: string): Promise<Shortcut[]> {
  return q.query(LIST_SHORTCUTS_OF_BOT, [spaceId, botId]);
}

/** Returns the shortcuts of the active bots of a space, by name, up to 500. */
export function shortcutsOfSpace(q: Queryable, spaceId: string): Promise<ListedShortcut[]> {
  return q.query(LIST_SHORTCUTS_OF_SPACE, [spaceId]);
}

/** Returns a shortcut of an active bot. @throws 404 */
export async function findShortcut(q: Queryable, spaceId: string, id: string): Promise<UsedShortcut> {
  const [shortcut] = await q.query(FIND_SHORTCUT, [spaceId, id]);
  if (!shortcut) throw shortcutNotFound();
  return shortcut;
}
