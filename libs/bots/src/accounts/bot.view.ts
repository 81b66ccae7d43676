import type { BreakerView } from '@tieline/delivery';
import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import { viewOf } from '@tieline/platform/resource';
import { unexpired } from '@tieline/signing';
import { BOT } from './bot.js';
import type { Bot } from './bot.entity.js';

const { breaker, createdAt, updatedAt, ...ownFields } = BOT;

/** A bot as it sees itself. */
export class BotView extends viewOf(ownFields) {}

/** A bot as admins see it. */
export class AdminBotView extends viewOf(BOT) {}

export class OwnBotAnswer extends OkAnswer {
  @Field({ type: BotView })
  bot: BotView;
}

export class BotAnswer extends OkAnswer {
  @Field({ type: AdminBotView })
  bot: AdminBotView;
}

export class CreatedBotAnswer extends BotAnswer {
  @Field({ example: 'tlb_…', description: 'shown only in this response' })
  token: string;

  @Field({ example: 'whsec_…', description: 'shown only in this response' })
  webhook_signing_secret: string;
}

export class RegeneratedBotTokenAnswer extends OkAnswer {
  @Field({ example: 'tlb_…', description: 'shown only in this response' })
  token: string;

  @Field({
    example: 'whsec_…',
    optional: true,
    description: 'with `reset` only: the new push signing secret',
  })
  webhook_signing_secret?: string;
}

export class BotsPage extends PageAnswer {
  @Field({ type: AdminBotView, isArray: true })
  bots: AdminBotView[];
}

/** Returns a bot as it sees itself: `webhook_url` is empty unless the mode is `webhook`. */
export function botView(bot: Bot): BotView {
  return BotView.of(shown(bot));
}

export function adminBotView(bot: Bot, breaker: BreakerView): AdminBotView {
  return AdminBotView.of({ ...shown(bot), breaker });
}

function shown(bot: Bot): Bot {
  return {
    ...bot,
    webhookUrl: bot.eventDeliveryMode === 'webhook' ? bot.webhookUrl : '',
    previousSecretExpiresAt: unexpired(bot.previousSecretExpiresAt),
  };
}
