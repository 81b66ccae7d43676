import { partsOf } from '../answers/answer.js';
import type { Message } from '../answers/answer.js';
import type { Receipt } from '../answers/late-answers.js';
import { Context } from './context.js';

/**
 * An event in a conversation. Everything it posts has an idempotency key, so repeats post nothing.
 */
export class EventContext extends Context {
  private written = 0;

  /** Id of the message. Empty for events about conversations. */
  get messageId(): string {
    return this.textOf('message_id');
  }

  /**
   * Posts a message in the conversation. With `thread: true`, in the thread of the event's message.
   */
  async reply(message: Message, { thread = false } = {}): Promise<Receipt> {
    const { text, ...metadata } = partsOf(message);
    const body = {
      conversation_id: this.conversationId,
      content: text,
      ...metadata,
      // In a thread, the conversation already is the thread.
      ...(thread && !this.threadId && { parent_message_id: this.messageId }),
    };
    return this.post('/api/v1/bot/messages', body);
  }

  /** Shows a message only to one member, by default to the person who acted. */
  async ephemeral(message: Message, userId = this.userId): Promise<Receipt> {
    const { text, ...metadata } = partsOf(message);
    const body = { conversation_id: this.conversationId, user_id: userId, content: text, ...metadata };
    return this.post('/api/v1/bot/messages/ephemeral', body);
  }

  /** Adds a reaction to the event's message. */
  async react(emoji: string): Promise<void> {
    const path = `/api/v1/bot/messages/${this.messageId}/reactions/${encodeURIComponent(emoji)}`;
    await this.client.call('PUT', path);
  }

  /** Shows what the bot is doing, until its next message here, at most two minutes. */
  status(text: string, loadingMessages?: string[]): Promise<void> {
    const loading = loadingMessages && { loading_messages: loadingMessages };
    return this.client.setStatus(this.conversationId, { text, ...loading });
  }

  /** Suggests messages to people here, instead of those before. An empty list removes them. */
  prompts(prompts: { title: string; message: string }[], title?: string): Promise<void> {
    return this.client.setPrompts(this.conversationId, { prompts, ...(title !== undefined && { title }) });
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
  /** Match of the handler's pattern. */
  match: RegExpMatchArray | null = null;

  get text(): string {
    return this.textOf('text');
  }

  /** Whether the text contains this, in any case, or matches it. Keeps the {@link match}. */
  matches(text: string | RegExp): boolean {
    if (typeof text === 'string') return this.text.toLowerCase().includes(text.toLowerCase());
    this.match = this.text.match(text);
    return this.match !== null;
  }

  /** Whether it was sent in a direct conversation with the bot. */
  get isDirect(): boolean {
    const context = this.payload.conversation_context as { is_direct?: boolean } | undefined;
    return context?.is_direct === true;
  }
}
