import { slackId } from '@tieline/slack-surface';
import { TEST_ENVIRONMENT } from '@tieline/testing';
import type { Receiver } from '@tieline/testing';
import { authorize, createApp, requestApp, startAuthorization } from '../apps/app-flow.js';
import { call, expectOk, createWorkspace } from '../tieline.js';
import type { Workspace } from '../tieline.js';
import { APP_VIEW, SELECTS, uuidOfView } from './app-view.js';

type Json = Record<string, any>;

const FORM = {
  title: 'Which version?',
  validate: true,
  fields: [{ id: 'version', type: 'select', label: 'Version', options_from: 'bot' }],
};
const OPTIONS = [{ name: 'version', type: 'string', autocomplete: true }];

/** A space in which every operation with a body has something to work on. */
export class ExamplesScene {
  private constructor(
    readonly api: { url: string },
    readonly workspace: Workspace,
    readonly person: { id: string; token: string },
    /** Token of the polling bot. */
    readonly polling: { id: string; token: string },
    private readonly callbacks: Receiver,
  ) {}

  /** @param callbacks answers clicks with a form, and requests for options with choices */
  static async furnish(api: { url: string }, callbacks: Receiver): Promise<ExamplesScene> {
    callbacks.respond((request) => {
      const text = request.body.toString();
      // A request in Slack's format is a form.
      if (text.startsWith('payload=')) return { body: { options: [] } };
      const { event_type: type } = JSON.parse(text) as Json;
      if (type === 'button.click') return { body: { open_modal: FORM } };
      return { body: /options/.test(String(type)) ? { choices: [{ value: 'a', label: 'A' }] } : {} };
    });
    const workspace = await createWorkspace(api);
    const { ownerToken } = workspace;
    const own = await expectOk(call(api, 'GET', '/api/v1/client/me', ownerToken));
    const { bot, token } = await expectOk(
      call(api, 'POST', '/api/v1/admin/bots', ownerToken, {
        display_name: 'polling',
        event_delivery_mode: 'poll',
      }),
    );
    const scene = new ExamplesScene(
      api,
      workspace,
      { id: own.user.id as string, token: ownerToken },
      { id: bot.id as string, token: token as string },
      callbacks,
    );
    const callback = scene.callback;
    await scene.bot('PATCH', 'bot/interactive_config', { callback_url: callback });
    await scene.bot('POST', `bots/${workspace.botId}/commands`, {
      name: 'deploy',
      callback_url: callback,
      options: OPTIONS,
    });
    await expectOk(call(api, 'POST', `/api/v1/bot/conversations/${scene.channel}/join`, scene.polling.token));
    return scene;
  }

  private get callback(): string {
    return `${this.callbacks.url}/callback`;
  }

  get channel(): string {
    return this.workspace.channels[0] as string;
  }

  /** Calls as the owner. */
  as(method: string, path: string, body?: object): Promise<Json> {
    return expectOk(call(this.api, method, `/api/v1/${path}`, this.person.token, body));
  }

  bot(method: string, path: string, body?: object, token = this.workspace.botToken): Promise<Json> {
    return expectOk(call(this.api, method, `/api/v1/${path}`, token, body));
  }

  /** Creates an app that wants to be listed. */
  async app(): Promise<string> {
    return (await createApp(this.api, this.person.token, { distribution: 'listed' })).id;
  }

  async interactionOfApp(): Promise<string> {
    return startAuthorization(this.api, await createApp(this.api, this.person.token));
  }

  /** Lets the owner authorize a public client. Returns the values for its example. */
  async authorized(): Promise<Record<string, string>> {
    const app = await createApp(this.api, this.person.token, { client_type: 'public' });
    const { code, verifier } = await authorize(this.api, app, this.person.token);
    return { K1Yk8iRzq0SxVY2i3kQ1xA: app.clientId, 'a code': code, 'its verifier': verifier };
  }

  /** Lets a member ask the admins for an app. */
  async appRequest(): Promise<string> {
    const { api } = this;
    const adminToken = this.person.token;
    const { token } = await this.as('POST', 'admin/users', { display_name: 'Member', role: 'member' });
    const app = await createApp(api, adminToken);
    return requestApp(api, { app, memberToken: token as string, adminToken });
  }

  operator(path: string, body: object): Promise<Json> {
    return expectOk(
      call(this.api, 'POST', `/api/v1/operator/${path}`, TEST_ENVIRONMENT.OPERATOR_TOKEN, body),
    );
  }

  async personsMessage(): Promise<string> {
    const path = `client/conversations/${this.channel}/messages`;
    return (await this.as('POST', path, { text: 'Is it out?' })).message_id as string;
  }

  async botsMessage(): Promise<string> {
    const body = { conversation_id: this.channel, content: 'Deployed' };
    return (await this.bot('POST', 'bot/messages', body)).message_id as string;
  }

  /** Posts a message of a Slack app with a select of its own and an external one. */
  async appMessage(): Promise<string> {
    await this.slack('chat.postMessage', {
      channel: slackId('publicChannel', this.channel),
      text: 'Deploy?',
      blocks: [SELECTS],
    });
    const { messages } = await this.as('GET', `channels/${this.channel}/messages?limit=1`);
    return messages[0].id as string;
  }

  /** Opens a view of the bot as a Slack app. @returns its id */
  async appView(): Promise<string> {
    const opened = await this.slack('views.open', { trigger_id: await this.trigger(), view: APP_VIEW });
    return uuidOfView(opened.view.id as string);
  }

  private async slack(method: string, body: object): Promise<Json> {
    return expectOk(call(this.api, 'POST', `/slack/api/${method}`, this.workspace.botToken, body));
  }

  /** Gives the polling bot a message shortcut. @returns its id */
  async messageShortcut(): Promise<string> {
    const body = { shortcuts: [{ callback_id: 'file', name: 'File', type: 'message' }] };
    const { token } = this.polling;
    const set = await expectOk(call(this.api, 'PUT', '/api/v1/bot/shortcuts', token, body));
    return set.shortcuts[0].id as string;
  }

  /** Creates an open invite for the person. */
  async invite(): Promise<string> {
    const { url } = await this.as('POST', `admin/users/${this.person.id}/invite`);
    return (url as string).split('#invite=')[1] ?? '';
  }

  async anotherChannel(): Promise<string> {
    return (await this.as('POST', 'client/conversations', { name: 'another' })).conversation.id as string;
  }

  async anotherBot(): Promise<{ id: string; token: string }> {
    const { bot, token } = await this.as('POST', 'admin/bots', { display_name: 'another' });
    return { id: bot.id as string, token: token as string };
  }

  async member(): Promise<string> {
    return (await this.as('POST', 'admin/users', { display_name: 'Ben' })).user.id as string;
  }

  /** Posts a message with a button. @returns its id and the button's token for the person */
  async card(token = this.workspace.botToken): Promise<{ id: string; signedToken: string }> {
    const elements = [{ type: 'button', action_id: 'deploy', text: 'Deploy' }];
    const body = {
      conversation_id: this.channel,
      content: 'Ready',
      metadata_json: JSON.stringify({ version: 1, blocks: [{ type: 'actions', elements }] }),
    };
    const { message_id: id } = await this.bot('POST', 'bot/messages', body, token);
    const { messages } = await this.as('GET', `channels/${this.channel}/messages`);
    const shown = messages.find((message: Json) => message.id === id);
    const signedToken = JSON.parse(shown.metadata_json).blocks[0].elements[0].signed_token as string;
    return { id: id as string, signedToken };
  }

  private async click(token?: string): Promise<Json> {
    const { id, signedToken } = await this.card(token);
    const body = { action_id: 'deploy', signed_token: signedToken };
    return this.as('POST', `client/messages/${id}/interactions`, body);
  }

  async modalToken(): Promise<string> {
    return (await this.click()).modal_token as string;
  }

  async interaction(): Promise<string> {
    return (await this.click(this.polling.token)).interaction_id as string;
  }

  /** Returns the response token of a click sent to the bot's callback. */
  async responseToken(): Promise<string> {
    return (await this.clickSent()).response_token as string;
  }

  /** Returns the trigger id of a click sent to the bot's callback. */
  async trigger(): Promise<string> {
    return (await this.clickSent()).trigger_id as string;
  }

  /** Opens a modal by a trigger. @returns its id */
  async modal(): Promise<string> {
    const body = { trigger_id: await this.trigger(), modal: FORM };
    return (await this.bot('POST', 'bot/modals', body)).modal_id as string;
  }

  private async clickSent(): Promise<Json> {
    await this.click();
    const [last] = this.callbacks.requests.slice(-1);
    return JSON.parse(String(last?.body)) as Json;
  }

  /** Uploads a file. */
  async file(as: 'bot' | 'client'): Promise<string> {
    const body = {
      conversation_id: this.channel,
      file_name: 'a.txt',
      file_size: 2,
      mime_type: 'text/plain',
    };
    const path = `${as}/files/upload_sessions`;
    const { upload } = as === 'bot' ? await this.bot('POST', path, body) : await this.as('POST', path, body);
    const { upload_url: url, method, headers, file_id: id } = upload as Json;
    await fetch(url as string, {
      method: method as string,
      headers: headers as Record<string, string>,
      body: 'hi',
    });
    return id as string;
  }

  async task({ isCompleted = false } = {}): Promise<string> {
    const { execution_task: task } = await this.bot('POST', 'bot/execution_tasks', {
      conversation_id: this.channel,
      idempotency_key: `task-${Math.random().toString(36).slice(2, 10)}`,
    });
    if (isCompleted)
      await this.bot('PATCH', `bot/execution_tasks/${task.widget_id}`, { action: 'complete', sequence: 1 });
    return task.widget_id as string;
  }

  async approval(): Promise<string> {
    const body = { conversation_id: this.channel, title: 'Deploy?' };
    return (await this.bot('POST', 'bot/approvals', body)).approval.id as string;
  }

  async run(): Promise<string> {
    const body = {
      conversation_id: this.channel,
      trigger_message_id: await this.personsMessage(),
      idempotency_key: `another-${Math.random().toString(36).slice(2, 10)}`,
    };
    return (await this.bot('POST', 'bot/agent_runs', body)).agent_run.id as string;
  }

  async commandId(): Promise<string> {
    const body = { name: `another-${Math.random().toString(36).slice(2, 8)}`, callback_url: this.callback };
    return (await this.bot('POST', `bots/${this.workspace.botId}/commands`, body)).command.id as string;
  }

  async hook(): Promise<{ id: string; token: string }> {
    const body = { name: 'Alerts', conversation_id: this.channel, require_signature: false };
    const { webhook, token } = await this.as('POST', 'admin/incoming_webhooks', body);
    return { id: webhook.id as string, token: token as string };
  }

  async hooksMessage(): Promise<{ token: string; message_id: string }> {
    const { token } = await this.hook();
    const { message_id } = await expectOk(
      call(this.api, 'POST', `/api/v1/webhooks/incoming/${token}`, 'none', { text: 'disk is full' }),
    );
    return { token, message_id: message_id as string };
  }

  async subscriptionId(): Promise<string> {
    const body = { name: 'log', url: this.callback, event_types: ['MESSAGE_CREATED'] };
    return (await this.as('POST', 'admin/outgoing_webhooks', body)).subscription.id as string;
  }
}
