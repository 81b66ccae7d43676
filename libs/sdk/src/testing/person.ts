import type { Client } from '../client.js';
import { answerOf, awaitedBy } from './answers.js';
import type { Answer, DirectAnswer } from './answers.js';
import { newestWith } from './messages.js';
import type { SeenMessage } from './messages.js';
import { PersonStream } from './stream.js';
import type { PersonEvent } from './stream.js';

/** How long an answer of a bot is waited for, unless told otherwise. */
const PATIENCE_MS = 5_000;

/** Which message is meant, and how long to wait. */
export interface ClickOptions {
  /** The conversation, by name or id. Default: where the person was last. */
  readonly in?: string;
  /** The message's id. Default: the newest that has the element. */
  readonly message?: string;
  /** How long to wait for what the bot answers, in milliseconds. Default: 5,000; 0: not at all. */
  readonly waitMs?: number;
}

/** What people are told apart by, and how their conversations are found. */
export interface PersonOptions {
  /** With the person's token. */
  readonly client: Client;
  readonly id?: string;
  readonly name?: string;
}

/**
 * A person in front of a chat client, by the endpoints that such clients use: says things, clicks,
 * fills in forms, and hears what is answered. Whatever the bot's way of delivery, each deed
 * resolves with what the person got to see.
 */
export class Person {
  readonly client: Client;
  readonly id: string | undefined;
  readonly name: string;
  #stream: Promise<PersonStream> | undefined;
  #place: string | undefined;
  #form: string | undefined;
  #conversations = new Map<string, string>();

  constructor({ client, id, name = 'somebody' }: PersonOptions) {
    this.client = client;
    this.id = id;
    this.name = name;
  }

  /**
   * Posts a message as it stands, even when it begins with a slash. @param thread the message that
   * it answers
   */
  async send(
    conversation: string,
    text: string,
    thread?: string,
  ): Promise<{ id: string; conversationId: string }> {
    await this.stream();
    const body = { text, ...(thread && { parent_message_id: thread }) };
    const conversationId = await this.#goTo(conversation);
    const path = `/api/v1/client/conversations/${conversationId}/messages`;
    const { message_id: id } = await this.client.call<{ message_id: string }>('POST', path, { body });
    return { id, conversationId };
  }

  /**
   * What a person types and sends: `/name …` is a command, and resolves with its answer; everything
   * else is a message.
   */
  async say(
    conversation: string,
    text: string,
    { waitMs = PATIENCE_MS, options }: { waitMs?: number; options?: Record<string, unknown> } = {},
  ): Promise<Answer> {
    if (!text.startsWith('/')) {
      const { id: messageId } = await this.send(conversation, text);
      return { result: 'sent', messageId, text };
    }
    const id = await this.#goTo(conversation);
    const path = `/api/v1/client/conversations/${id}/commands`;
    return this.#do(id, waitMs, () =>
      this.client.call<DirectAnswer>('POST', path, { body: { text, ...(options && { options }) } }),
    );
  }

  /** Clicks a button. @throws Error when no message has it */
  click(actionId: string, options: ClickOptions = {}): Promise<Answer> {
    return this.#interact(actionId, {}, options);
  }

  /** Chooses, in a select or any other element with values. */
  select(actionId: string, values: string | readonly string[], options: ClickOptions = {}): Promise<Answer> {
    return this.#interact(actionId, { selected_values: [values].flat() }, options);
  }

  /** Submits the form that is open. @throws Error when none is */
  async submit(
    values: Record<string, unknown>,
    { token = this.#form, waitMs = PATIENCE_MS }: { token?: string; waitMs?: number } = {},
  ): Promise<Answer> {
    if (!token) throw new Error(`${this.name} has no form open`);
    const path = `/api/v1/client/modals/${token}/submit`;
    const answer = await this.#do(this.#place, waitMs, () =>
      this.client.call<DirectAnswer>('POST', path, { body: { values } }),
    );
    if (!answer.modalToken && answer.result !== 'errors') this.#form = undefined;
    return answer;
  }

  /** Closes the form that is open without submitting it. */
  async close(token = this.#form): Promise<void> {
    if (!token) throw new Error(`${this.name} has no form open`);
    await this.client.call('POST', `/api/v1/client/modals/${token}/close`);
    this.#form = undefined;
  }

  /**
   * Types into an option of a command, such as `type('general', '/deploy', 'version', '1.')`.
   * @returns what is suggested
   */
  async type(conversation: string, command: string, option: string, typed: string): Promise<Choice[]> {
    const id = await this.#goTo(conversation);
    const path = `/api/v1/client/conversations/${id}/commands/options`;
    const body = { command: command.replace(/^\//, ''), option, typed };
    return (await this.client.call<{ choices: Choice[] }>('POST', path, { body })).choices;
  }

  /** Types into a field of the form that is open. @returns what is suggested */
  async typeInto(field: string, typed: string): Promise<Choice[]> {
    if (!this.#form) throw new Error(`${this.name} has no form open`);
    const path = `/api/v1/client/modals/${this.#form}/options`;
    return (await this.client.call<{ choices: Choice[] }>('POST', path, { body: { field, typed } })).choices;
  }

  /** The newest messages of a conversation, oldest first. */
  async messages(conversation: string, limit = 50): Promise<SeenMessage[]> {
    const path = `/api/v1/channels/${await this.#goTo(conversation)}/messages`;
    const { messages } = await this.client.call<{ messages: SeenMessage[] }>('GET', path, {
      query: { limit },
    });
    return messages;
  }

  /**
   * Waits for something on the person's stream, what came before included. @throws Error after
   * `timeoutMs` (default 10 s)
   */
  async hears(isWanted: (event: PersonEvent) => boolean, timeoutMs = 10_000): Promise<PersonEvent> {
    const stream = await this.stream();
    const event = await stream.next(isWanted, { timeoutMs });
    if (event) return event;
    const heard = stream.events.map((one) => one.event).join(', ') || 'nothing';
    throw new Error(`${this.name} has waited ${timeoutMs} ms and heard ${heard}`);
  }

  /** The person's stream, opened when it is first asked for. */
  stream(): Promise<PersonStream> {
    return (this.#stream ??= PersonStream.open(this.client));
  }

  /** Puts the client away. */
  async leave(): Promise<void> {
    (await this.#stream?.catch(() => undefined))?.close();
    this.#stream = undefined;
  }

  async #interact(actionId: string, chosen: object, options: ClickOptions): Promise<Answer> {
    const place = options.in ?? this.#place;
    if (!place) throw new Error('say which conversation: { in: "general" }');
    const messages = await this.messages(place, 100);
    const found = newestWith(
      messages.filter(({ id }) => !options.message || id === options.message),
      actionId,
    );
    if (!found) throw new Error(`no message in ${place} has "${actionId}" for ${this.name}`);
    const body = { action_id: actionId, signed_token: found.element.signed_token, ...chosen };
    const path = `/api/v1/client/messages/${found.message.id}/interactions`;
    return this.#do(found.message.conversation_id, options.waitMs ?? PATIENCE_MS, () =>
      this.client.call<DirectAnswer>('POST', path, { body }),
    );
  }

  /** Does something, and waits for what comes of it. */
  async #do(
    conversation: string | undefined,
    waitMs: number,
    deed: () => Promise<DirectAnswer>,
  ): Promise<Answer> {
    const stream = await this.stream();
    const from = stream.events.length;
    const direct = await deed();
    let answer = answerOf(direct);
    const awaited = awaitedBy(answer, conversation, this.id);
    if (awaited && waitMs > 0) {
      const event = await stream.next(awaited, { from, timeoutMs: waitMs });
      if (event) answer = answerOf(event as DirectAnswer & PersonEvent);
    }
    this.#form = answer.modalToken ?? this.#form;
    return answer;
  }

  async #goTo(conversation: string): Promise<string> {
    if (!this.#conversations.has(conversation)) await this.#learn();
    const id = this.#conversations.get(conversation.replace(/^#/, '')) ?? conversation;
    this.#place = id;
    return id;
  }

  async #learn(): Promise<void> {
    const listed = this.client.list<{ id: string; name?: string }>('/api/v1/client/conversations');
    for await (const { id, name } of listed) if (name) this.#conversations.set(name, id);
  }
}

/** What is suggested to somebody who types. */
export interface Choice {
  readonly name: string;
  readonly value: string;
}
