import { startTcpProxy } from '@tieline/testing';
import type { AppProcess, TcpProxy } from '@tieline/testing';
import { call, createWorkspace, expectOk, Tieline } from '../tieline.js';
import type { Workspace } from '../tieline.js';

/** A bot with Slack's event format. */
export interface SlackBot {
  id: string;
  /** In Tieline's spelling. */
  token: string;
  secret: string;
}

/** Returns a bot token in another spelling. */
export const spelled = (prefix: 'xoxb-' | 'xapp-', { token }: SlackBot): string =>
  token.replace(/^tlb_/, prefix);

/**
 * A product whose PUBLIC_URL leads through a proxy, so that a process can be replaced behind the
 * same address.
 */
export class SlackWorkspace {
  private constructor(
    readonly tieline: Tieline,
    readonly proxy: TcpProxy,
    readonly workspace: Workspace,
    readonly api: { url: string },
    private process: AppProcess,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<SlackWorkspace> {
    const proxy = await startTcpProxy('http://127.0.0.1:9');
    const url = proxy.url.replace(/\/$/, '');
    const settings = {
      DELIVERY_BACKOFF_INITIAL_MS: '100',
      DELIVERY_BACKOFF_MAX_MS: '500',
      // Apps run in the process of the test, which may be busy.
      DELIVERY_TIMEOUT_MS: '60000',
      CALLBACK_TIMEOUT_MS: '60000',
    };
    const tieline = await Tieline.create({
      ...settings,
      EMIT_MEMBER_EVENTS: 'true',
      PUBLIC_URL: url,
      ...env,
    });
    const [api] = await Promise.all([tieline.start('api'), tieline.start('worker')]);
    proxy.pointTo(api.url);
    return new SlackWorkspace(tieline, proxy, await createWorkspace({ url }), { url }, api);
  }

  /** The address that an app is given. */
  get slackApiUrl(): string {
    return `${this.api.url}/slack/api/`;
  }

  get channel(): string {
    return this.workspace.channels[0] as string;
  }

  /** Kills the api and starts another one at the same address. */
  async replaceApi(): Promise<void> {
    await this.process.kill('SIGKILL');
    this.process = await this.tieline.start('api');
    this.proxy.pointTo(this.process.url);
  }

  admin(method: string, path: string, body?: unknown): Promise<Record<string, any>> {
    return expectOk(call(this.api, method, `/api/v1/admin${path}`, this.workspace.ownerToken, body));
  }

  client(method: string, path: string, body?: unknown): Promise<Record<string, any>> {
    return expectOk(call(this.api, method, `/api/v1/client${path}`, this.workspace.ownerToken, body));
  }

  /** Creates a bot that is a member of the channel. */
  async bot(settings: object): Promise<SlackBot> {
    const made = await this.admin('POST', '/bots', {
      display_name: 'Bolt',
      event_format: 'slack',
      event_types: [
        ...['MESSAGE_CREATED', 'MESSAGE_UPDATED', 'MESSAGE_DELETED', 'DM_OPENED'],
        ...['REACTION_ADDED', 'REACTION_REMOVED', 'MEMBER_JOINED', 'CONVERSATION_CREATED'],
      ],
      ...settings,
    });
    await expectOk(call(this.api, 'POST', `/api/v1/bot/conversations/${this.channel}/join`, made.token));
    return { id: made.bot.id, token: made.token, secret: made.webhook_signing_secret };
  }

  /** Creates the app of a Slack manifest, whose bot is a member of the channel. */
  async appOf(manifest: object): Promise<SlackBot> {
    const { created, signing_secret: secret } = await this.admin('POST', '/apps/manifest', { manifest });
    const { id, token } = created.find(({ type }: { type: string }) => type === 'bot');
    await expectOk(call(this.api, 'POST', `/api/v1/bot/conversations/${this.channel}/join`, token));
    return { id, token, secret };
  }

  /** Posts as the owner. @returns the message's id */
  async say(text: string): Promise<string> {
    return (await this.client('POST', `/conversations/${this.channel}/messages`, { text })).message_id;
  }

  async close(): Promise<void> {
    await this.tieline.close();
    await this.proxy.close();
  }
}
