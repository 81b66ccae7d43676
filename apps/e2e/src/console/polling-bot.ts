import type { ConsoleHarness, ConsoleSpace } from './browser.js';

/** A polling bot in a channel of the space, used like by a bot author who tries things out. */
export class PollingBot {
  private readonly answered = new Set<string>();

  private constructor(
    private readonly harness: ConsoleHarness,
    readonly id: string,
    readonly token: string,
    readonly channelId: string,
  ) {}

  /** Creates the bot and a channel with it and the owner. */
  static async create(
    harness: ConsoleHarness,
    { ownerToken }: ConsoleSpace,
    channel: string,
  ): Promise<PollingBot> {
    const { conversation } = await harness.call('POST', '/api/v1/client/conversations', ownerToken, {
      name: channel,
    });
    const { bot, token } = await harness.call('POST', '/api/v1/admin/bots', ownerToken, {
      username: 'deployer',
      display_name: 'Deployer',
    });
    await harness.call('POST', `/api/v1/client/conversations/${conversation.id}/members`, ownerToken, {
      member_id: bot.id,
    });
    await harness.call('PATCH', '/api/v1/bot/me', token, { event_delivery_mode: 'poll' });
    return new PollingBot(harness, bot.id, token, conversation.id);
  }

  /** Makes a call as the bot that must succeed. */
  call(method: string, path: string, body?: object): Promise<Record<string, any>> {
    return this.harness.call(method, `/api/v1/bot${path}`, this.token, body);
  }

  /** Posts in its channel. */
  say(content: string, metadata?: object, more: object = {}): Promise<Record<string, any>> {
    return this.call('POST', '/messages', {
      conversation_id: this.channelId,
      content,
      ...(metadata && { metadata_json: JSON.stringify(metadata) }),
      ...more,
    });
  }

  /** Returns the newest messages of its channel as the bot reads them. */
  read(): Promise<Record<string, any>> {
    return this.harness.call('GET', `/api/v1/channels/${this.channelId}/messages`, this.token);
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

  /** Uploads a file. @returns its id */
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
