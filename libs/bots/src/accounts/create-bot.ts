import { v7 as uuidv7 } from 'uuid';
import { requireChannels } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { hashToken, newSigningSecret } from '@tieline/signing';
import type { SecretBox } from '@tieline/signing';
import { requireCapacity } from '@tieline/spaces';
import type { PlanLimit, Origin } from '@tieline/spaces';
import { appendBotChanged } from './bot-changed.js';
import { Bot } from './bot.entity.js';
import { DEFAULT_SETTINGS, lacksWebhookUrl } from './bot-settings.js';
import type { BotSettings } from './bot-settings.js';
import { unknownChannels, webhookUrlRequired } from '../bots.errors.js';
import { COUNT_BOTS } from './bots.statements.js';
import { recordBotChange } from './record-bot-change.js';
import { webhookSecretPurpose } from '../push/webhook/webhook-secret.js';
import { newBotToken } from './new-bot-token.js';

/** A new bot, with the secrets that are shown once. */
export interface CreatedBot {
  bot: Bot;
  token: string;
  webhookSigningSecret: string;
}

/**
 * Creates a bot. The caller has checked the webhook URL against the egress policy.
 * @throws 400 mode `webhook` without a URL; channel_ids that are not channels of the space; 409
 * `limit_reached` by the plan's limit
 */
export async function createBot(
  { db, box, limits }: { db: Db; box: SecretBox; limits: PlanLimit['limits'] },
  spaceId: string,
  input: Partial<BotSettings> & Pick<BotSettings, 'displayName'>,
  origin: Origin,
): Promise<CreatedBot> {
  const settings: BotSettings = {
    ...DEFAULT_SETTINGS,
    ...withoutUndefined(input),
    displayName: input.displayName,
  };
  if (lacksWebhookUrl(settings)) throw webhookUrlRequired();
  const token = newBotToken();
  const webhookSigningSecret = newSigningSecret();
  const now = new Date();
  const id = uuidv7();
  const row: Bot = {
    ...settings,
    spaceId,
    id,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    tokenHash: hashToken(token),
    webhookSecret: box.seal(webhookSigningSecret, webhookSecretPurpose(id)),
  };
  const bot = await runInTx(
    db,
    async (tx) => {
      await requireCapacity(tx, spaceId, { name: 'bots', limits, count: COUNT_BOTS });
      await requireChannels(tx, spaceId, settings.channelIds, unknownChannels);
      await tx.manager.insert(Bot, row);
      await recordBotChange(tx, row, {
        action: 'bot.created',
        origin,
        settings: { before: null, after: settings },
      });
      await appendBotChanged(tx, row);
      return row;
    },
    { spaceId, place: 'bots' },
  );
  return { bot, token, webhookSigningSecret };
}

function withoutUndefined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
