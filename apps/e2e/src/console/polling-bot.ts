import type { ConsoleRig, ConsoleSpace } from './browser.js';

/**
 * A bot in a channel of the space, which asks for its events as a bot's author would while trying
 * things out.
 */
export class PollingBot {
  private readonly answered = new Set<string>();

  private constructor(
    private readonly rig: ConsoleRig,
    readonly id: string,
    readonly token: string,
    readonly channelId: string,
  ) {}

  /** With a channel of its own, which the owner is in. */
  static async create(rig: ConsoleRig, { ownerToken }: ConsoleSpace, channel: string): Promise<PollingBot> {
    const { conversation } = await rig.made('POST', '/api/v1/client/conversations', ownerToken, {
      name: channel,
    });
    const { bot, token } = await rig.made('POST', '/api/v1/admin/bots', ownerToken, {
      username: 'deployer',
      display_name: 'Deployer',
    });
    await rig.made('POST', `/api/v1/client/conversations/${conversation.id}/members`, ownerToken, {
      member_id: bot.id,
    });
    await rig.made('PATCH', '/api/v1/bot/me', token, { event_delivery_mode: 'poll' });
    return new PollingBot(rig, bot.id, token, conversation.id);
  }

  /** A call as the bot, which must succeed. */
  call(method: string, path: string, body?: object): Promise<Record<string, any>> {
    return this.rig.made(method, `/api/v1/bot${path}`, this.token, body);
  }

  /** Says something in its channel. */
  say(content: string, metadata?: object, more: object = {}): Promise<Record<string, any>> {
    return this.call('POST', '/messages', {
      conversation_id: this.channelId,
      content,
      ...(metadata && { metadata_json: JSON.stringify(metadata) }),
      ...more,
    });
  }

  /** The newest messages of its channel, as it reads them. */
  read(): Promise<Record<string, any>> {
    return this.rig.made('GET', `/api/v1/channels/${this.channelId}/messages`, this.token);
  }

  /** Waits for the next event of a type and answers it. */
  async answer(type: string, respond: object): Promise<Record<string, any>> {
    for (let cursor = ''; ;) {
      const { events } = await this.call('GET', `/events?cursor=${cursor}&wait=10`);
      for (const { id, event_type: found, payload_json: payload } of events) {
        cursor = id;
        const event = JSON.parse(payload);
        if (found !== type || this.answered.has(event.interaction_id)) continue;
        this.answered.add(event.interaction_id);
        await this.call('POST', `/interactions/${event.interaction_id}/respond`, respond);
        return event;
      }
    }
  }

  /** Uploads a file of its own. @returns its id */
  async upload(name: string, type: string, bytes: Buffer): Promise<string> {
    const { upload } = await this.call('POST', '/files/upload_sessions', {
      conversation_id: this.channelId,
      file_name: name,
      file_size: bytes.length,
      mime_type: type,
    });
    const put = await fetch(upload.upload_url, {
      method: upload.method,
      headers: upload.headers,
      body: new Uint8Array(bytes),
    });
    if (!put.ok) throw new Error(`not uploaded: ${put.status}`);
    await this.call('POST', `/files/${upload.file_id}/confirm`, { conversation_id: this.channelId });
    return upload.file_id;
  }
}
