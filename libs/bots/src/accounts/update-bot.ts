import { Injectable } from '@nestjs/common';
import { requireChannels } from '@tieline/conversations';
import { closeBreaker } from '@tieline/delivery';
import { EgressPolicy } from '@tieline/egress';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { changesOf } from '@tieline/platform/resource';
import type { Origin } from '@tieline/spaces';
import { appendBotChanged } from './bot-changed.js';
import { Bot } from './bot.entity.js';
import { lacksWebhookUrl } from './bot.js';
import type { BotInput, BotSettings } from './bot.js';
import { appInactive, unknownChannels, webhookUrlRequired } from '../bots.errors.js';
import { lockBot } from './bots.queries.js';
import { endPush, isPushed } from '../push/end-push.js';
import { checkWebhookUrl } from '../push/webhook/webhook-url.js';
import { recordBotChange } from './record-bot-change.js';
import type { ChangedBot } from './record-bot-change.js';

/** Changes the settings of bots. */
@Injectable()
export class UpdateBot {
  constructor(
    private readonly db: Db,
    private readonly egress: EgressPolicy,
  ) {}

  /**
   * Changes a bot's settings. Undefined ones keep their values.
   * @throws 404 unknown, deleted or of another space. 400 for a webhook URL that outgoing requests
   * may not reach, for mode `webhook` without a stored URL, and for channel_ids that are not
   * channels of the space. 409 if it enables the bot of an app that is not active.
   */
  async run(bot: ChangedBot, change: BotInput): Promise<Bot> {
    await checkWebhookUrl(this.egress, change.webhookUrl);
    const { spaceId, botId } = bot;
    return runInTx(this.db, (tx) => this.in(tx, bot, change), { spaceId, place: botId });
  }

  /** Like {@link run}, in the caller's transaction. The caller has checked the webhook URL. */
  async in(tx: Tx, { spaceId, botId, origin }: ChangedBot, change: BotInput): Promise<Bot> {
    const bot = await lockBot(tx, spaceId, botId);
    if (change.channelIds) await requireChannels(tx, spaceId, change.channelIds, unknownChannels);
    if (bot.activeBeforeSuspension !== null && change.isActive !== undefined) {
      if (change.isActive) throw appInactive();
      await tx.manager.update(Bot, { spaceId, id: botId }, { activeBeforeSuspension: false });
    }
    return changeLockedBot(tx, bot, change, origin);
  }
}

/**
 * Writes the changed settings, with audit entry and event. The caller holds the bot's row lock.
 * @throws 400 mode without URL
 */
export async function changeLockedBot(tx: Tx, bot: Bot, change: BotInput, origin: Origin): Promise<Bot> {
  const changed = changesOf<BotSettings>(bot, change);
  if (lacksWebhookUrl({ ...bot, ...changed })) throw webhookUrlRequired();
  if (Object.keys(changed).length === 0) return bot;
  const after: Bot = { ...bot, ...changed, updatedAt: new Date() };
  await tx.manager.update(
    Bot,
    { spaceId: bot.spaceId, id: bot.id },
    {
      ...changed,
      updatedAt: after.updatedAt,
      ...(isPushed(after) && !isPushed(bot) && { pushFailures: 0, exhaustedAt: null }),
    },
  );
  await recordBotChange(tx, bot, { action: 'bot.updated', origin, settings: { before: bot, after } });
  await appendBotChanged(tx, after);
  if (isPushed(after) && !isPushed(bot)) await closeBreaker(tx, { spaceId: bot.spaceId, targetId: bot.id });
  if (isPushed(bot) && !isPushed(after)) await endPush(tx, bot.id);
  return after;
}
