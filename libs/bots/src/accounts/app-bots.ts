import { Injectable } from '@nestjs/common';
import { requireChannels } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import type { Scope } from '@tieline/platform/http';
import { hashToken, NO_PREVIOUS_SECRET, SecretBox } from '@tieline/signing';
import type { Origin } from '@tieline/spaces';
import { IsNull } from 'typeorm';
import { unknownChannels } from '../bots.errors.js';
import { endPush } from '../push/end-push.js';
import { BOT_WEBHOOK_SECRET } from '../push/webhook/webhook-secret.js';
import { appendBotChanged } from './bot-changed.js';
import type { BotInput, EventDeliveryMode, EventFormat } from './bot.js';
import { Bot } from './bot.entity.js';
import { CreateBot } from './create-bot.js';
import { changeLockedBot } from './update-bot.js';
import { newBotToken } from './new-bot-token.js';
import { recordBotChange } from './record-bot-change.js';

/** How the bot of an app is set up in a space. */
export interface AppBotSettings {
  displayName: string;
  avatarUrl: string;
  scopes: readonly Scope[];
  /** The installation that the bot belongs to. */
  installationId: string;
  /** The channels that an admin chose; empty: all channels. */
  channelIds: readonly string[];
  /** Where its events are pushed; empty: they are not. */
  eventUrl: string;
  eventFormat: EventFormat;
  /** Where clicks on its messages go; empty: where the bot itself says. */
  interactiveUrl: string;
  /** Signs its events and clicks, as those of all bots of the app. */
  signingSecret: string;
  /**
   * The bot in the space of the app. A new bot gets its `event_types` and `slack_events`, and polls
   * as it does.
   */
  firstBot: Pick<AppBot, 'spaceId' | 'botId'> | undefined;
  /** Settings that differ from those above. */
  differing?:
    | Pick<BotInput, 'displayName' | 'eventTypes' | 'slackEvents' | 'eventDeliveryMode' | 'isActive'>
    | undefined;
}

/** A bot of an app, in the transaction of a change. */
export interface AppBot {
  readonly spaceId: string;
  readonly botId: string;
  readonly origin: Origin;
}

/** The bots of apps: one per space in which the app is installed. */
@Injectable()
export class AppBots {
  constructor(
    private readonly createBot: CreateBot,
    private readonly box: SecretBox,
  ) {}

  /**
   * Sets up the bot of an installation: a new one, or the given one again. It has no token yet.
   * @throws 400 for channel_ids that are not channels of the space, and for mode `webhook` without
   * an address; 409 `limit_reached`
   * @returns the id of the bot
   */
  async install(
    tx: Tx,
    { spaceId, botId, origin }: Omit<AppBot, 'botId'> & { botId: string | null },
    settings: AppBotSettings,
  ): Promise<string> {
    const { scopes, installationId, channelIds, eventUrl, interactiveUrl, signingSecret, ...given } =
      settings;
    const { firstBot, differing, ...shown } = given;
    await requireChannels(tx, spaceId, channelIds, unknownChannels);
    const known = botId === null ? null : await lockIfPresent(tx, spaceId, botId);
    const first =
      firstBot && (await tx.manager.findOneBy(Bot, { spaceId: firstBot.spaceId, id: firstBot.botId }));
    const push = { webhookUrl: eventUrl, eventDeliveryMode: modeOf(eventUrl, [known, first]) };
    const wanted = { ...shown, ...push, channelIds: [...channelIds], isActive: true, ...differing };
    const events = { eventTypes: first?.eventTypes, slackEvents: first?.slackEvents };
    const place = { spaceId, origin, installationId };
    const { id } = known
      ? await changeLockedBot(tx, { ...known, installationId }, wanted, origin)
      : (await this.createBot.in(tx, place, { ...events, ...wanted })).bot;
    const secret = { webhookSecret: BOT_WEBHOOK_SECRET.seal(this.box, id, signingSecret) };
    await tx.manager.update(
      Bot,
      { spaceId, id },
      {
        ...{ installationId, interactiveUrl, scopes: [...scopes], ...secret, ...NO_PREVIOUS_SECRET },
        activeBeforeSuspension: null,
      },
    );
    return id;
  }

  /**
   * Replaces the token of the bot. The previous one is revoked immediately.
   * @param expiresAt null: it does not expire
   * @returns the token, shown once; undefined if the bot is disabled or deleted
   */
  async issueToken(
    tx: Tx,
    { spaceId, botId, origin }: AppBot,
    expiresAt: Date | null,
  ): Promise<string | undefined> {
    const bot = await lockIfPresent(tx, spaceId, botId);
    if (!bot?.isActive) return undefined;
    const token = newBotToken();
    await writeToken(tx, bot, token, expiresAt);
    await recordBotChange(tx, bot, { action: 'bot.token_regenerated', origin });
    return token;
  }

  /**
   * Revokes the token of the bot. The bot stays without a usable token.
   * @returns false if the bot is deleted
   */
  async revokeToken(tx: Tx, { spaceId, botId, origin }: AppBot): Promise<boolean> {
    const bot = await lockIfPresent(tx, spaceId, botId);
    if (!bot) return false;
    await writeToken(tx, bot, newBotToken(), null);
    await recordBotChange(tx, bot, { action: 'bot.token_revoked', origin });
    return true;
  }

  /**
   * Disables the bot of an app that is no longer active, or ends that: the bot is then as active as
   * before. Does nothing if it is suspended already, or was not.
   */
  async suspend(tx: Tx, { spaceId, botId, origin }: AppBot, isSuspended: boolean): Promise<void> {
    const bot = await lockIfPresent(tx, spaceId, botId);
    if (!bot || isSuspended === (bot.activeBeforeSuspension !== null)) return;
    const { isActive, activeBeforeSuspension } = bot;
    await tx.manager.update(
      Bot,
      { spaceId, id: botId },
      { activeBeforeSuspension: isSuspended ? isActive : null },
    );
    await changeLockedBot(tx, bot, { isActive: !isSuspended && activeBeforeSuspension === true }, origin);
  }

  /**
   * Deactivates the bot of an uninstalled app: its token is revoked, its pushes end, and its
   * commands and buttons stop, as after a reset (docs/security.md#when-a-token-was-stolen).
   */
  async uninstall(tx: Tx, { spaceId, botId, origin }: AppBot): Promise<void> {
    const bot = await lockIfPresent(tx, spaceId, botId);
    if (!bot) return;
    const resetAt = new Date();
    const off = { isActive: false, eventDeliveryMode: 'none', webhookUrl: '', updatedAt: resetAt } as const;
    const after: Bot = { ...bot, ...off, installationId: null };
    await tx.manager.update(
      Bot,
      { spaceId, id: botId },
      { ...off, resetAt, installationId: null, activeBeforeSuspension: null, interactiveUrl: '' },
    );
    await writeToken(tx, after, newBotToken(), null);
    await recordBotChange(tx, bot, { action: 'bot.updated', origin, settings: { before: bot, after } });
    await appendBotChanged(tx, after);
    await endPush(tx, botId);
  }
}

/** Returns how a bot receives its events. Without an address for them, one that polls continues. */
function modeOf(
  eventUrl: string,
  bots: (Pick<Bot, 'eventDeliveryMode'> | null | undefined)[],
): EventDeliveryMode {
  if (eventUrl !== '') return 'webhook';
  return bots.some((bot) => bot?.eventDeliveryMode === 'poll') ? 'poll' : 'none';
}

async function writeToken(
  tx: Tx,
  { spaceId, id }: Bot,
  token: string,
  expiresAt: Date | null,
): Promise<void> {
  await tx.manager.update(Bot, { spaceId, id }, { tokenHash: hashToken(token), tokenExpiresAt: expiresAt });
}

/** Locks the bot. Returns null if it is deleted. */
function lockIfPresent(tx: Tx, spaceId: string, id: string): Promise<Bot | null> {
  return tx.manager.findOne(Bot, {
    where: { spaceId, id, deletedAt: IsNull() },
    lock: { mode: 'for_no_key_update' },
  });
}
