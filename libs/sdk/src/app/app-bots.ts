import { Bot } from '../bot/bot.js';
import { BoundedMap } from '../bot/engine/bounded-map.js';
import type { Receiver } from '../bot/connectors/receiver.js';
import type { BotSettings, StopOptions } from '../bot/settings.js';
import { TielineError } from '../client/tieline-error.js';
import { installedSpaceOf, OAuthError } from './oauth-client.js';
import type { OAuthClient } from './oauth-client.js';
import type { InstalledSpace, TokenStore } from './token-stores.js';

/** Spaces whose bot stays in memory. Others are set up again when their next event arrives. */
const SPACES_IN_MEMORY = 1000;
/** Tokens are renewed this long before they expire. */
const RENEW_BEFORE_MS = 60_000;

/** The bot of an app in a space. */
export interface SpaceBot {
  bot: Bot;
  receiver: Receiver;
  token: string;
}

export interface AppBotsSettings {
  url: string;
  store: TokenStore;
  oauth: OAuthClient;
  signingSecret: string;
  /** Adds the handlers to the bot of a space. */
  setUp: (bot: Bot, space: InstalledSpace) => void;
  bot: Pick<BotSettings, 'concurrency' | 'order' | 'tries' | 'remember' | 'log'>;
}

/** The bots of an app, one per space, with tokens that are valid. */
export class AppBots {
  private readonly bots = new BoundedMap<SpaceBot>(SPACES_IN_MEMORY);
  private readonly running = new Set<{ bot: Bot }>();
  private readonly renewals = new Map<string, Promise<InstalledSpace | undefined>>();

  constructor(private readonly settings: AppBotsSettings) {}

  /** Returns the bot of a space, or undefined if the app has no valid token of it. */
  async of(spaceId: string): Promise<SpaceBot | undefined> {
    const space = await this.validSpace(spaceId);
    if (!space) return undefined;
    const known = this.bots.get(spaceId);
    if (known?.token === space.token) return known;
    const created = this.newBot(space);
    this.bots.set(spaceId, created);
    return created;
  }

  /** Deletes the record of a space whose token Tieline refuses. */
  async forgetIfRevoked(spaceId: string): Promise<void> {
    const found = await this.of(spaceId);
    if (!found) return;
    try {
      await found.bot.client.call('GET', '/api/v1/bot/me');
    } catch (error) {
      if (!(error instanceof TielineError) || error.status !== 401) throw error;
      const space = await this.settings.store.get(spaceId);
      if (space?.refreshToken !== undefined && space.expiresAt !== undefined)
        await this.renewed(space.spaceId, space.token);
      else await this.settings.store.delete(spaceId);
    }
  }

  /** Waits for running handlers. Returns whether all ended in time. */
  async stop(options: StopOptions): Promise<boolean> {
    const ended = await Promise.all([...this.running].map(({ bot }) => bot.stop(options)));
    return ended.every((inTime) => inTime);
  }

  private newBot(space: InstalledSpace): SpaceBot {
    const { url, signingSecret, bot: options, setUp } = this.settings;
    const bot = new Bot({ ...options, url, token: space.token, secrets: signingSecret });
    setUp(bot, space);
    return { bot, receiver: bot.receiver(), token: space.token };
  }

  /** Runs work of a bot, so that `stop` waits for it. */
  async during<T>({ bot }: SpaceBot, done: Promise<T>): Promise<void> {
    const work = { bot };
    this.running.add(work);
    await done.catch(() => undefined);
    this.running.delete(work);
  }

  private async validSpace(spaceId: string): Promise<InstalledSpace | undefined> {
    const space = await this.settings.store.get(spaceId);
    return space && isExpiring(space) ? this.renewed(spaceId, space.token) : space;
  }

  /** Renews a token once, however many events wait for it. */
  private renewed(spaceId: string, token: string): Promise<InstalledSpace | undefined> {
    const running = this.renewals.get(spaceId);
    if (running) return running;
    const { store } = this.settings;
    const work = (): Promise<InstalledSpace | undefined> => this.renew(spaceId, token);
    const renewal = (store.lock ? store.lock(spaceId, work) : work()).finally(() =>
      this.renewals.delete(spaceId),
    );
    this.renewals.set(spaceId, renewal);
    return renewal;
  }

  private async renew(spaceId: string, token: string): Promise<InstalledSpace | undefined> {
    const { store, oauth } = this.settings;
    const space = await store.get(spaceId);
    // Another process was first.
    if (!space || space.token !== token) return space;
    if (space.refreshToken === undefined) return space;
    try {
      const answer = await oauth.refresh(space.refreshToken);
      const renewed = installedSpaceOf(answer);
      // A refresh token works once, so the new one is stored even if the bot got no token.
      const { refresh_token: refreshToken = space.refreshToken } = answer;
      await store.set(renewed ?? { ...space, refreshToken });
      return renewed;
    } catch (error) {
      if (!(error instanceof OAuthError) || error.code !== 'invalid_grant') throw error;
      await store.delete(spaceId);
      return undefined;
    }
  }
}

const isExpiring = ({ expiresAt }: InstalledSpace): boolean =>
  expiresAt !== undefined && expiresAt - Date.now() < RENEW_BEFORE_MS;
