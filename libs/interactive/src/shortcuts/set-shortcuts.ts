import type { ChangedBot } from '@tieline/bots';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { notFound } from '@tieline/platform/http';
import { changesBetween, recordChange } from '@tieline/spaces';
import { uuidv7 } from 'uuidv7';
import { shortcutsOfBot } from './shortcuts.queries.js';
import type { Shortcut } from './shortcuts.queries.js';
import { DELETE_OTHER_SHORTCUTS, LOCK_BOT_OF_SHORTCUTS, PUT_SHORTCUTS } from './shortcuts.statements.js';

/** A shortcut as a bot, an admin or a manifest sets it. */
export type ShortcutSettings = Omit<Shortcut, 'id'>;

/**
 * Replaces the shortcuts of a bot. One whose callback id stays keeps its id.
 * @returns the shortcuts, by name
 * @throws 404 the bot is deleted
 */
export function setShortcuts(db: Db, bot: ChangedBot, shortcuts: ShortcutSettings[]): Promise<Shortcut[]> {
  const { spaceId, botId } = bot;
  return runInTx(db, (tx) => setShortcutsIn(tx, bot, shortcuts), { spaceId, place: botId });
}

/** Like {@link setShortcuts}, in the caller's transaction. */
export async function setShortcutsIn(
  tx: Tx,
  bot: ChangedBot,
  shortcuts: readonly ShortcutSettings[],
): Promise<Shortcut[]> {
  const { spaceId, botId, origin } = bot;
  const [locked] = await tx.query(LOCK_BOT_OF_SHORTCUTS, [spaceId, botId]);
  if (!locked) throw notFound('bot_not_found', 'bot not found');
  const before = await shortcutsOfBot(tx, spaceId, botId);
  const callbackIds = shortcuts.map(({ callbackId }) => callbackId);
  await tx.query(DELETE_OTHER_SHORTCUTS, [spaceId, botId, callbackIds]);
  await tx.query(PUT_SHORTCUTS, {
    ...{ spaceId, botId, callbackIds },
    ids: shortcuts.map(() => uuidv7()),
    names: shortcuts.map(({ name }) => name),
    descriptions: shortcuts.map(({ description }) => description),
    types: shortcuts.map(({ type }) => type),
  });
  const after = await shortcutsOfBot(tx, spaceId, botId);
  const changes = changesBetween({ shortcuts: before.map(recorded) }, { shortcuts: after.map(recorded) });
  // Bots may set the same shortcuts at each start.
  if (Object.keys(changes).length > 0)
    await recordChange(tx, {
      ...origin,
      ...{ spaceId, action: 'bot.shortcuts_changed', objectType: 'bot', objectId: botId, changes },
    });
  return after;
}

/** Returns a shortcut as the audit log shows it. */
const recorded = ({ callbackId, name, description, type }: Shortcut): object => ({
  callback_id: callbackId,
  name,
  description,
  type,
});
