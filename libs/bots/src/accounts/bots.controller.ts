import { Body, Controller, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { botDmRule, botWriteRule } from '@tieline/conversations';
import { AppConfig } from '@tieline/platform/config';
import { Db } from '@tieline/platform/database';
import {
  BotApi,
  Caller,
  charged,
  documentAnswer,
  documentErrors,
  RemoteAddress,
  UuidParam,
} from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { RateLimiter } from '@tieline/platform/rate-limit';
import { SecretBox } from '@tieline/platform/signing';
import { BOT_EXAMPLE, botView } from './bot.view.js';
import { findBot } from './bots.queries.js';
import { settingsOf, UpdateBotSelfDto } from './dto/bot-settings.dto.js';
import { OpenDmDto } from '../conversations/dto/open-dm.dto.js';
import { joinConversation } from '../conversations/join-conversation.js';
import { openDm } from '../conversations/open-dm.js';
import { byBot } from './record-bot-change.js';
import { rotateWebhookSecret } from '../push/rotate-webhook-secret.js';
import { updateBot } from './update-bot.js';

/** What a bot does about itself (contract, "Bot self and channels", "Bot push webhook"). Every route that changes something counts as a write. */
@Controller('api/v1/bot')
@BotApi()
@ApiTags('bot: self and channels')
export class BotsController {
  constructor(
    private readonly db: Db,
    private readonly config: AppConfig,
    private readonly limiter: RateLimiter,
    private readonly box: SecretBox,
  ) {}

  /** The calling bot; also a health check of its token. */
  @Get('me')
  @ApiOperation({ summary: 'The calling bot' })
  @documentAnswer({ ok: true, bot: BOT_EXAMPLE })
  async me(@Caller() bot: BotPrincipal) {
    return { ok: true, bot: botView(await findBot(this.db, bot.spaceId, bot.botId)) };
  }

  /** Changes the bot's own delivery mode, name or avatar. Mode `webhook` needs a webhook_url that an admin stored. */
  @Patch('me')
  @ApiOperation({ summary: "Changes the bot's own delivery mode, name or avatar" })
  @documentAnswer({ ok: true, bot: BOT_EXAMPLE })
  @documentErrors(400, 429, 503)
  async updateMe(@Caller() bot: BotPrincipal, @Body() body: UpdateBotSelfDto, @RemoteAddress() ip: string) {
    const change = () => updateBot(this.db, bot.spaceId, bot.botId, settingsOf(body), byBot(bot, ip));
    return {
      ok: true,
      bot: botView(await charged(this.limiter, [botWriteRule(this.config, bot.botId)], change)),
    };
  }

  /** Adds the bot to a public channel or voice chat; repeating is fine. */
  @Post('conversations/:id/join')
  @ApiOperation({ summary: 'Adds the bot to a public channel or voice chat' })
  @HttpCode(200)
  @documentAnswer({ ok: true })
  @documentErrors(400, 403, 404, 429, 503)
  async join(@Caller() bot: BotPrincipal, @UuidParam('id') conversationId: string) {
    await charged(this.limiter, [botWriteRule(this.config, bot.botId)], () =>
      joinConversation(this.db, bot, conversationId),
    );
    return { ok: true };
  }

  /** Opens the direct conversation with a person of the space, or answers the one that exists. */
  @Post('dm')
  @ApiOperation({
    summary: 'Opens the direct conversation with a person of the space, or answers the one that exists',
  })
  @HttpCode(200)
  @documentAnswer({ ok: true, conversation_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d31' })
  @documentErrors(400, 429, 503)
  async dm(@Caller() bot: BotPrincipal, @Body() body: OpenDmDto) {
    const rules = [botDmRule(this.config, bot.botId), botWriteRule(this.config, bot.botId)];
    return {
      ok: true,
      conversation_id: await charged(this.limiter, rules, () => openDm(this.db, bot, body.user_id)),
    };
  }

  /** Gives the bot a new push signing secret, shown here and nowhere else; later attempts are signed with it. */
  @Post('webhook/rotate_secret')
  @ApiOperation({ summary: 'Gives the bot a new push signing secret, shown here and nowhere else' })
  @HttpCode(200)
  @documentAnswer({ ok: true, signing_secret: 'whsec_…', updated_at: '2026-11-21T09:00:00.000Z' })
  @documentErrors(429, 503)
  async rotateSecret(@Caller() bot: BotPrincipal, @RemoteAddress() ip: string) {
    const rotate = () => rotateWebhookSecret(this.db, this.box, bot.spaceId, bot.botId, byBot(bot, ip));
    const { signingSecret, updatedAt } = await charged(
      this.limiter,
      [botWriteRule(this.config, bot.botId)],
      rotate,
    );
    return { ok: true, signing_secret: signingSecret, updated_at: updatedAt.toISOString() };
  }
}
