import { EventStreamClient } from '@tieline/testing';
import type { AppProcess, ReceivedRequest, Receiver } from '@tieline/testing';
import { call, expectOk, createWorkspace } from '../tieline.js';
import type { Tieline, Workspace } from '../tieline.js';

type Json = Record<string, any>;

export const bodyOf = (request: ReceivedRequest): Json => JSON.parse(request.body.toString('utf8')) as Json;

/** A running product in which every event occurs, with all receivers. */
export class Scene {
  private constructor(
    private readonly tieline: Tieline,
    readonly api: AppProcess,
    readonly workspace: Workspace,
    readonly hooks: Receiver,
    readonly pushes: Receiver,
    readonly callbacks: Receiver,
    /** The owner's token. */
    readonly stream: EventStreamClient,
    readonly botStream: EventStreamClient,
    /** Token of a bot in poll mode. */
    readonly pollToken: string,
    /** Token of a bot in mode webhook. */
    readonly pushToken: string,
    /** Id of that bot. */
    readonly pushId: string,
    /** Subscription to everything, without context. */
    readonly subscriptionId: string,
  ) {}

  /** @param types that subscriptions can select, and those of them that bots can select */
  static async start(
    { tieline, api }: { tieline: Tieline; api: AppProcess },
    { all: eventTypes, bots: botTypes }: { all: readonly string[]; bots: readonly string[] },
  ): Promise<Scene> {
    const workspace = await createWorkspace(api);
    const [hooks, pushes, callbacks] = [
      await tieline.receiver(),
      await tieline.receiver(),
      await tieline.receiver(),
    ];
    const admin = (path: string, body: object): Promise<Json> =>
      expectOk(call(api, 'POST', `/api/v1/admin/${path}`, workspace.ownerToken, body));
    const { subscription } = await admin('outgoing_webhooks', {
      name: 'all',
      url: `${hooks.url}/all`,
      event_types: eventTypes,
    });
    const pushed = await admin('bots', {
      display_name: 'pushed',
      event_types: botTypes,
      event_delivery_mode: 'webhook',
      webhook_url: `${pushes.url}/bot`,
    });
    const polling = await admin('bots', {
      display_name: 'polling',
      event_types: botTypes,
      event_delivery_mode: 'poll',
    });
    return new Scene(
      tieline,
      api,
      workspace,
      hooks,
      pushes,
      callbacks,
      await EventStreamClient.open(`${api.url}/api/v1/client/stream`, workspace.ownerToken),
      await EventStreamClient.open(`${api.url}/api/v1/bot/stream`, workspace.botToken),
      polling.token as string,
      pushed.token as string,
      pushed.bot.id as string,
      subscription.id as string,
    );
  }

  person(method: string, path: string, body?: object): Promise<Json> {
    return expectOk(call(this.api, method, `/api/v1/${path}`, this.workspace.ownerToken, body));
  }

  bot(method: string, path: string, body?: object, token: string = this.workspace.botToken): Promise<Json> {
    return expectOk(call(this.api, method, `/api/v1/${path}`, token, body));
  }

  /** Creates a public channel with the bot. */
  async channel(name: string): Promise<string> {
    const { conversation } = await this.person('POST', 'client/conversations', { name, is_public: true });
    await this.bot('POST', `bot/conversations/${conversation.id}/join`);
    return conversation.id as string;
  }

  async say(conversationId: string, text: string, more: object = {}): Promise<string> {
    const body = { text, ...more };
    return (await this.person('POST', `client/conversations/${conversationId}/messages`, body))
      .message_id as string;
  }

  /** Posts a message of the bot with a button and a select. @returns how a person uses them */
  async card(channel: string): Promise<(actionId: string, more?: object) => Promise<Json>> {
    const elements = [
      { type: 'button', action_id: 'deploy', text: 'Deploy', data: '{"build":4711}' },
      { type: 'select', action_id: 'stage', options: [{ value: 'live', label: 'Production' }] },
    ];
    const { message_id: id } = await this.bot('POST', 'bot/messages', {
      conversation_id: channel,
      content: 'Build 4711 is ready',
      metadata_json: JSON.stringify({ version: 1, blocks: [{ type: 'actions', elements }] }),
    });
    const { messages } = await this.person('GET', `channels/${channel}/messages`);
    const shown = messages.find((message: Json) => message.id === id);
    const tokens = JSON.parse(shown.metadata_json).blocks[0].elements as Json[];
    return (action_id, more) => {
      const signed_token = tokens.find((element) => element.action_id === action_id)?.signed_token;
      return this.person('POST', `client/messages/${id}/interactions`, { action_id, signed_token, ...more });
    };
  }

  /** Returns everything in a bot's queue. */
  async queue(token: string): Promise<Json[]> {
    return (await expectOk(call(this.api, 'GET', '/api/v1/bot/events?limit=500', token))).events as Json[];
  }

  async close(): Promise<void> {
    this.stream.close();
    this.botStream.close();
    await this.tieline.close();
  }
}
