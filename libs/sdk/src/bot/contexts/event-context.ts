import { partsOf } from '../answers/answer.js';
import type { Message } from '../answers/answer.js';
import type { Receipt } from '../answers/late-answers.js';
import { Context } from './context.js';

/** An event in a conversation. Repeats of what it posts under the event's key post nothing. */
export class EventContext extends Context {
  private written = 0;

  /** The message that it is about; empty for events of conversations. */
  get messageId(): string {
    return this.textOf('message_id');
  }

  /**
   * Posts a message where it happened. With `thread: true` in the thread of the message that it is
   * about.
   */
  async reply(message: Message, { thread = false } = {}): Promise<Receipt> {
    const { text, ...metadata } = partsOf(message);
    const body = {
      conversation_id: this.conversationId,
      content: text,
      ...metadata,
      // A thread is a conversation of its own: what is posted there is in it already.
      ...(thread && !this.threadId && { parent_message_id: this.messageId }),
    };
    return this.post('/api/v1/bot/messages', body);
  }

  /** Shows a message to one member alone, by default to whoever did it. */
  async ephemeral(message: Message, userId = this.userId): Promise<Receipt> {
    const { text, ...metadata } = partsOf(message);
    const body = { conversation_id: this.conversationId, user_id: userId, content: text, ...metadata };
    return this.post('/api/v1/bot/messages/ephemeral', body);
  }

  /** Reacts to the message that it is about. */
  async react(emoji: string): Promise<void> {
    const path = `/api/v1/bot/messages/${this.messageId}/reactions/${encodeURIComponent(emoji)}`;
    await this.client.call('PUT', path);
  }

  private async post(path: string, body: object): Promise<Receipt> {
    const idempotencyKey = this.key(String(this.written++));
    const { message_id: messageId } = await this.client.call<{ message_id: string }>('POST', path, {
      body,
      idempotencyKey,
    });
    return { messageId };
  }
}

/** A message of a person or of another bot. */
export class MessageContext extends EventContext {
  /** What a pattern found in it. */
  match: RegExpMatchArray | null = null;

  get text(): string {
    return this.textOf('text');
  }

  /** Between the bot and one person. */
  get isDirect(): boolean {
    const context = this.payload.conversation_context as { is_direct?: boolean } | undefined;
    return context?.is_direct === true;
  }
}
