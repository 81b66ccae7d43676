import { removeMember } from '@tieline/conversations';
import type { Actor } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { Origin } from '@tieline/spaces';
import { appendBotChanged } from './bot-changed.js';
import { Bot } from './bot.entity.js';
import { channelsOfBot, lockBot } from './bots.queries.js';
import { botOfApp } from '../bots.errors.js';
import { endPush } from '../push/end-push.js';
import { recordBotChange } from './record-bot-change.js';
import type { ChangedBot } from './record-bot-change.js';

/**
 * Deletes a bot: its token is revoked and its memberships end. Its messages keep it as their
 * author, and its direct conversations stay readable for the other member.
 * @throws 404 unknown, already deleted, or of another space; 409 for the bot of an installed app
 */
export async function deleteBot(db: Db, { spaceId, botId, origin }: ChangedBot): Promise<void> {
  await runInTx(
    db,
    async (tx) => {
      const bot = await lockBot(tx, spaceId, botId);
      if (bot.installationId !== null) throw botOfApp();
      const deletedAt = new Date();
      await tx.manager.update(Bot, { spaceId, id: botId }, { deletedAt, updatedAt: deletedAt });
      await endMemberships(tx, spaceId, botId, origin);
      await recordBotChange(tx, bot, { action: 'bot.deleted', origin });
      await appendBotChanged(tx, { ...bot, deletedAt });
      await endPush(tx, botId);
    },
    { spaceId, place: botId },
  );
}

/** The caller holds the bot's row lock, so that the bot cannot join anything in between. */
async function endMemberships(tx: Tx, spaceId: string, botId: string, { actorId }: Origin): Promise<void> {
  const by: { actor?: Actor } = actorId === null ? {} : { actor: { id: actorId, type: 'user' } };
  for (const conversationId of await channelsOfBot(tx, spaceId, botId))
    await removeMember(tx, { spaceId, conversationId, memberId: botId, ...by });
}
