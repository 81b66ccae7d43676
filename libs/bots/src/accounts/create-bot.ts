import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { requireChannels } from '@tieline/conversations';
import { EgressPolicy } from '@tieline/egress';
import { Db, runInTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { withDefaults } from '@tieline/platform/resource';
import { hashToken, newSigningSecret, SecretBox } from '@tieline/signing';
import { requireCapacity, SpaceLimitSettings } from '@tieline/spaces';
import { appendBotChanged } from './bot-changed.js';
import { Bot } from './bot.entity.js';
import { BOT, lacksWebhookUrl } from './bot.js';
import type { NewBot } from './bot.js';
import { unknownChannels, webhookUrlRequired } from '../bots.errors.js';
import { COUNT_BOTS } from './bots.statements.js';
import { recordBotChange } from './record-bot-change.js';
import type { ChangedBot } from './record-bot-change.js';
import type { NewBotSecrets } from './reset-bot.js';
import { BOT_WEBHOOK_SECRET } from '../push/webhook/webhook-secret.js';
import { checkWebhookUrl } from '../push/webhook/webhook-url.js';
import { newBotToken } from './new-bot-token.js';

/** A new bot, with the secrets that are shown once. */
export interface CreatedBot extends NewBotSecrets {
  bot: Bot;
}

/** Creates bots. */
@Injectable()
export class CreateBot {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
    private readonly egress: EgressPolicy,
    private readonly settings: SpaceLimitSettings,
  ) {}

  /**
   * Creates a bot.
   * @throws 400 for a webhook URL that outgoing requests may not reach; mode `webhook` without a
   * URL; channel_ids that are not channels of the space; 409 `limit_reached` by the plan's limit
   */
  async run({ spaceId, origin }: Omit<ChangedBot, 'botId'>, input: NewBot): Promise<CreatedBot> {
    await checkWebhookUrl(this.egress, input.webhookUrl);
    return runInTx(this.db, (tx) => this.in(tx, { spaceId, origin }, input), { spaceId, place: 'bots' });
  }

  /** Like {@link run}, in the caller's transaction. The caller has checked the webhook URL. */
  async in(
    tx: Tx,
    {
      spaceId,
      origin,
      installationId = null,
    }: Pick<ChangedBot, 'spaceId' | 'origin'> & { installationId?: string | null },
    input: NewBot,
  ): Promise<CreatedBot> {
    const settings = withDefaults(BOT, input);
    if (lacksWebhookUrl(settings)) throw webhookUrlRequired();
    const token = newBotToken();
    const webhookSigningSecret = newSigningSecret();
    const now = new Date();
    const id = uuidv7();
    const bot: Bot = {
      ...settings,
      spaceId,
      id,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
      installationId,
      activeBeforeSuspension: null,
      previousSecretExpiresAt: null,
      tokenHash: hashToken(token),
      webhookSecret: BOT_WEBHOOK_SECRET.seal(this.box, id, webhookSigningSecret),
    };
    const { bots: limits } = this.settings.limits;
    await requireCapacity(tx, spaceId, { name: 'bots', limits, count: COUNT_BOTS });
    await requireChannels(tx, spaceId, settings.channelIds, unknownChannels);
    await tx.manager.insert(Bot, bot);
    const change = { before: null, after: settings };
    await recordBotChange(tx, bot, { action: 'bot.created', origin, settings: change });
    await appendBotChanged(tx, bot);
    return { bot, token, webhookSigningSecret };
  }
}
