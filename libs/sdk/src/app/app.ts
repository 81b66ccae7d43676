import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Bot } from '../bot/bot.js';
import type { NodeHandler } from '../bot/connectors/adapters.js';
import type { Reply } from '../bot/connectors/receiver.js';
import type { SignedRequest } from '../bot/connectors/verify-request.js';
import { environment, logLine } from '../bot/settings.js';
import type { BotSettings, StopOptions } from '../bot/settings.js';
import type { Client } from '../client/client.js';
import { rawBodyOf } from '../signatures/raw-body.js';
import { verify } from '../signatures/verify.js';
import { AppBots } from './app-bots.js';
import { installedSpaceOf, OAuthClient, OAuthError } from './oauth-client.js';
import type { TokenResponse } from './oauth-client.js';
import { memoryStore } from './token-stores.js';
import type { InstalledSpace, TokenStore } from './token-stores.js';

/** Settings of an app. */
export interface AppSettings extends Pick<
  BotSettings,
  'concurrency' | 'order' | 'tries' | 'remember' | 'log'
> {
  /** Address of Tieline, its issuer. Default: TIELINE_URL. */
  url?: string;
  /** Default: TIELINE_CLIENT_ID. */
  clientId?: string;
  /** Default: TIELINE_CLIENT_SECRET. */
  clientSecret?: string;
  /** Verifies events and clicks. Default: TIELINE_SIGNING_SECRET. */
  signingSecret?: string;
  /**
   * Public address of this program, such as `https://deploys.example.com/tieline`. `/install`,
   * `/callback` and `/events` are below it. Default: TIELINE_APP_URL.
   */
  appUrl?: string;
  /**
   * Scopes to ask for. The bot gets those in the app's `bot_scopes`, the person who installs it
   * those in `user_scopes`.
   */
  scopes: readonly string[];
  /** Default: {@link memoryStore}, which a restart empties. */
  store?: TokenStore;
  /** Adds handlers to the bot of a space. Called for each space when its first event arrives. */
  setUp: (bot: Bot, space: InstalledSpace) => void;
  /**
   * Called after an installation with the response of the token endpoint, before the person sees
   * the result. Returns an address to send the browser to, or nothing.
   */
  installed?: (tokens: TokenResponse) => string | undefined | Promise<string | undefined>;
}

/** Where an app listens. */
export interface AppStartOptions {
  /** Default: TIELINE_PORT, else 4000. 0: any free port. */
  port?: number;
  /** Default: TIELINE_HOST, else 127.0.0.1. */
  host?: string;
}

const COOKIE = 'tieline_install';
const INSTALL_SECONDS = 900;
const TEXT = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
const APP_EVENTS = ['APP_INSTALLED', 'APP_UNINSTALLED', 'TOKENS_REVOKED'];

/**
 * An app that many spaces install: it serves the installation, keeps a token per space, and gives
 * each event to the bot of its space (docs/sdk.md#apps).
 */
export class App {
  private readonly oauth: OAuthClient;
  private readonly bots: AppBots;
  private readonly store: TokenStore;
  private readonly base: URL;
  private readonly issuer: string;
  private readonly signingSecret: string;
  private readonly log: NonNullable<BotSettings['log']>;
  private server: Server | undefined;

  /** @throws TypeError for a missing setting */
  constructor(private readonly settings: AppSettings) {
    const { scopes, store = memoryStore(), setUp, log = logLine } = settings;
    const url = required('url', settings.url ?? environment('TIELINE_URL'));
    const appUrl = required('appUrl', settings.appUrl ?? environment('TIELINE_APP_URL'));
    this.signingSecret = required(
      'signingSecret',
      settings.signingSecret ?? environment('TIELINE_SIGNING_SECRET'),
    );
    this.base = new URL(`${appUrl.replace(/\/+$/, '')}/`);
    this.issuer = url.replace(/\/+$/, '');
    this.store = store;
    this.log = log;
    this.oauth = new OAuthClient({
      url: this.issuer,
      clientId: required('clientId', settings.clientId ?? environment('TIELINE_CLIENT_ID')),
      clientSecret: required('clientSecret', settings.clientSecret ?? environment('TIELINE_CLIENT_SECRET')),
      redirectUri: new URL('callback', this.base).href,
      scopes,
    });
    const { concurrency, order, tries, remember } = settings;
    const bot = {
      ...(concurrency !== undefined && { concurrency }),
      ...(order !== undefined && { order }),
      ...(tries !== undefined && { tries }),
      ...(remember !== undefined && { remember }),
      log,
    };
    const { oauth, signingSecret } = this;
    this.bots = new AppBots({ url: this.issuer, store, oauth, signingSecret, setUp, bot });
  }

  /**
   * Returns a client with the token of the bot in a space, or undefined if the space has not
   * installed the app.
   */
  async clientOf(spaceId: string): Promise<Client | undefined> {
    return (await this.bots.of(spaceId))?.bot.client;
  }

  /** Listens on a port. @returns when it does. @throws when the port is in use */
  async start({ port, host }: AppStartOptions = {}): Promise<void> {
    if (this.server) throw new TypeError('the app has already been started');
    const { createServer } = await import('node:http');
    const handle = this.nodeHandler();
    const server = createServer((request, response) => void handle(request, response));
    this.server = server;
    await new Promise<void>((ready, failed) => {
      server.once('error', failed);
      const address = host ?? environment('TIELINE_HOST') ?? '127.0.0.1';
      server.listen(port ?? Number(environment('TIELINE_PORT') ?? 4000), address, ready);
    });
    this.log(`ready on port ${this.port}, install at ${new URL('install', this.base).href}`);
  }

  /** Port of the app's server. */
  get port(): number | undefined {
    return (this.server?.address() as AddressInfo | null | undefined)?.port;
  }

  /** Accepts nothing new and waits for running handlers. Returns whether all ended in time. */
  async stop(options: StopOptions = {}): Promise<boolean> {
    const { server } = this;
    const closed = new Promise<void>((done) => (server ? server.close(() => done()) : done()));
    const inTime = await this.bots.stop(options);
    server?.closeIdleConnections();
    const force = setTimeout(() => server?.closeAllConnections(), 1000);
    await closed;
    clearTimeout(force);
    return inTime;
  }

  /**
   * Handler for `node:http` and Express. It serves the paths below the path of `appUrl`; mount it
   * so that it sees the whole path.
   */
  nodeHandler(): NodeHandler {
    return async (request, response) => {
      try {
        const { status, headers = {}, body } = await this.reply(request);
        response.writeHead(status, headers).end(body);
      } catch (error) {
        this.failed(error, response);
      }
    };
  }

  private failed(error: unknown, response: ServerResponse): void {
    const isTooLong = error instanceof RangeError;
    if (!isTooLong) this.log('could not answer a request', error);
    if (!response.headersSent) response.writeHead(isTooLong ? 413 : 500, { connection: 'close' }).end();
  }

  private async reply(request: IncomingMessage & { originalUrl?: string }): Promise<Reply> {
    const { method = '', headers } = request;
    const address = new URL(request.originalUrl ?? request.url ?? '/', 'http://localhost');
    const route = address.pathname.startsWith(this.base.pathname)
      ? address.pathname.slice(this.base.pathname.length)
      : '';
    if (route === 'events') {
      if (method !== 'POST') return { status: 405, headers: { allow: 'POST' } };
      return this.receive({ method, headers, body: await rawBodyOf(request) });
    }
    if (route !== 'install' && route !== 'callback') return { status: 404 };
    if (method !== 'GET') return { status: 405, headers: { allow: 'GET' } };
    return route === 'install'
      ? this.install()
      : this.callback(address.searchParams, cookieOf(headers.cookie));
  }

  private async install(): Promise<Reply> {
    const state = this.oauth.newState();
    const location = await this.oauth.authorizeAddress(state);
    return {
      status: 302,
      headers: { location, 'cache-control': 'no-store', 'set-cookie': this.cookie(state, INSTALL_SECONDS) },
    };
  }

  /** Accepts a code only in the browser that began here, and only from this Tieline. */
  private async callback(query: URLSearchParams, began: string | undefined): Promise<Reply> {
    const state = query.get('state');
    if (!state || state !== began || query.get('iss') !== this.issuer)
      return refuse('This installation was not started here. Start it again.');
    const code = query.get('code');
    if (!code) return refuse(`Not installed: ${query.get('error_description') ?? query.get('error') ?? ''}`);
    let tokens;
    try {
      tokens = await this.oauth.exchange(code, state);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      this.log('could not exchange a code', error);
      return refuse('The installation failed. Start it again.');
    }
    const space = installedSpaceOf(tokens);
    if (space) await this.store.set(space);
    const location = await this.settings.installed?.(tokens);
    const headers = { ...TEXT, 'set-cookie': this.cookie('', 0) };
    return location === undefined
      ? { status: 200, headers, body: `Installed in ${tokens.space.name}. You can close this page.` }
      : { status: 302, headers: { ...headers, location } };
  }

  private async receive(request: SignedRequest): Promise<Reply> {
    const { ok } = await verify({ secret: this.signingSecret, headers: request.headers, body: request.body });
    if (!ok) return { status: 401 };
    const { space_id: spaceId, event_type: type } = parsed(request.body);
    if (typeof spaceId !== 'string') return { status: 400 };
    if (typeof type === 'string' && APP_EVENTS.includes(type)) {
      // An old event may arrive after the space has installed the app again, so the token decides.
      if (type !== 'APP_INSTALLED') await this.bots.forgetIfRevoked(spaceId);
      return { status: 200 };
    }
    const bot = await this.bots.of(spaceId);
    // The first events of a space may arrive before its token.
    if (!bot) return { status: 503 };
    const { reply, done } = await bot.receiver.receive(request);
    void this.bots.during(bot, done);
    return reply;
  }

  private cookie(value: string, seconds: number): string {
    const secure = this.base.protocol === 'https:' ? '; Secure' : '';
    const { pathname } = this.base;
    return `${COOKIE}=${value}; Path=${pathname}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
  }
}

function required(name: string, value: string | undefined): string {
  if (!value) throw new TypeError(`an app needs ${name}`);
  return value;
}

const refuse = (body: string): Reply => ({ status: 400, headers: TEXT, body });

function cookieOf(header: string | undefined): string | undefined {
  const found = (header ?? '').split(';').find((part) => part.trim().startsWith(`${COOKIE}=`));
  return found?.trim().slice(COOKIE.length + 1);
}

function parsed(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(new TextDecoder().decode(body)) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}
