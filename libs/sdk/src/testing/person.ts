import type { ApprovalView, PromptsView } from '../api/types.gen.js';
import type { Client } from '../client.js';
import { answerOf, awaitedBy } from './answers.js';
import type { Answer, DirectAnswer } from './answers.js';
import { newestWith } from './messages.js';
import type { SeenMessage } from './messages.js';
import { PersonStream } from './stream.js';
import type { PersonEvent } from './stream.js';

/** Default time to wait for a bot's answer. */
const WAIT_MS = 5_000;

/** Selects the message and the waiting time. */
export interface ClickOptions {
  /** Conversation, by name or id. Default: the last one used. */
  readonly in?: string;
  /** Id of the message. Default: the newest one with the element. */
  readonly message?: string;
  /** How long to wait for the bot's answer, in milliseconds. Default: 5,000. 0: do not wait. */
  readonly waitMs?: number;
}

/** Selects the approval, and completes the decision. */
export interface DecideOptions {
  /** Id of the approval. Default: the newest one that the person may decide. */
  readonly id?: string;
  readonly comment?: string;
  /** Values of the form, by field id. */
  readonly values?: Readonly<Record<string, unknown>>;
}

/** Options of a person. */
export interface PersonOptions {
  /** Client with the person's token. */
  readonly client: Client;
  readonly id?: string;
  readonly name?: string;
}

/**
 * Simulates a person with a chat client through the client endpoints: sends messages, clicks, fills
 * in forms and receives answers. Each action resolves with what the person sees, regardless of the
 * bot's delivery mode.
 */
export class Person {
  readonly client: Client;
  readonly id: string | undefined;
  readonly name: string;
  #stream: Promise<PersonStream> | undefined;
  #place: string | undefined;
  #form: string | undefined;
  #conversations = new Map<string, string>();

  constructor({ client, id, name = 'someone' }: PersonOptions) {
    this.client = client;
    this.id = id;
    this.name = name;
  }

  /**
   * Posts a message literally, even if it starts with a slash. @param thread message to reply to
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
   * Sends what a person types. `/name …` is a command and resolves with its answer. Anything else
   * is a message.
   */
  async say(
    conversation: string,
    text: string,
    { waitMs = WAIT_MS, options }: { waitMs?: number; options?: Record<string, unknown> } = {},
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

  /** Judges a message with feedback buttons, or withdraws the judgment with `none`. */
  judge(
    actionId: string,
    feedback: 'positive' | 'negative' | 'none',
    options: ClickOptions = {},
  ): Promise<Answer> {
    return this.#interact(actionId, { feedback }, options);
  }

  /** Looks at a conversation. The bot of a direct chat is notified. */
  async open(conversation: string): Promise<void> {
    const body = { conversation_id: await this.#goTo(conversation) };
    await this.client.call('PUT', '/api/v1/client/focus', { body });
  }

  /** Returns the id of the direct conversation with a person or bot. Creates it if needed. */
  async dm(userId: string): Promise<string> {
    const { conversation_id: id } = await this.client.call<{ conversation_id: string }>(
      'POST',
      '/api/v1/client/dm',
      { body: { user_id: userId } },
    );
    return id;
  }

  /** Returns the messages that bots suggest in a conversation, those of the latest bot first. */
  async prompts(conversation: string): Promise<PromptsView[]> {
    const path = `/api/v1/client/conversations/${await this.#goTo(conversation)}/prompts`;
    return (await this.client.call<{ prompts: PromptsView[] }>('GET', path)).prompts;
  }

  /** Selects values in a select or another element with values. */
  select(actionId: string, values: string | readonly string[], options: ClickOptions = {}): Promise<Answer> {
    return this.#interact(actionId, { selected_values: [values].flat() }, options);
  }

  /** Submits the open form. @throws Error when none is open */
  async submit(
    values: Record<string, unknown>,
    { token = this.#form, waitMs = WAIT_MS }: { token?: string; waitMs?: number } = {},
  ): Promise<Answer> {
    if (!token) throw new Error(`${this.name} has no form open`);
    const path = `/api/v1/client/modals/${token}/submit`;
    const answer = await this.#do(this.#place, waitMs, () =>
      this.client.call<DirectAnswer>('POST', path, { body: { values } }),
    );
    if (!answer.modalToken && answer.result !== 'errors') this.#form = undefined;
    return answer;
  }

  /** Closes the open form without submitting it. */
  async close(token = this.#form): Promise<void> {
    if (!token) throw new Error(`${this.name} has no form open`);
    await this.client.call('POST', `/api/v1/client/modals/${token}/close`);
    this.#form = undefined;
  }

  /** Returns the pending approvals that the person may decide, newest first. */
  async approvals(): Promise<ApprovalView[]> {
    const found: ApprovalView[] = [];
    for await (const approval of this.client.list<ApprovalView>('/api/v1/client/approvals'))
      found.push(approval);
    return found;
  }

  /**
   * Decides an approval: `decide('approve')` the newest one that the person may decide.
   * @throws Error when there is none
   */
  async decide(optionId: string, options: DecideOptions = {}): Promise<ApprovalView> {
    const { comment, values, id = (await this.approvals())[0]?.id } = options;
    if (!id) throw new Error(`${this.name} has no approval to decide`);
    const body = { option_id: optionId, comment, values };
    const path = `/api/v1/client/approvals/${id}/decide`;
    return (await this.client.call<{ approval: ApprovalView }>('POST', path, { body, repeatable: true }))
      .approval;
  }

  /**
   * Types into an option of a command, such as `type('general', '/deploy', 'version', '1.')`.
   * @returns the suggestions
   */
  async type(conversation: string, command: string, option: string, typed: string): Promise<Choice[]> {
    const id = await this.#goTo(conversation);
    const path = `/api/v1/client/conversations/${id}/commands/options`;
    const body = { command: command.replace(/^\//, ''), option, typed };
    return (await this.client.call<{ choices: Choice[] }>('POST', path, { body })).choices;
  }

  /** Types into a field of the open form. @returns the suggestions */
  async typeInto(field: string, typed: string): Promise<Choice[]> {
    if (!this.#form) throw new Error(`${this.name} has no form open`);
    const path = `/api/v1/client/modals/${this.#form}/options`;
    return (await this.client.call<{ choices: Choice[] }>('POST', path, { body: { field, typed } })).choices;
  }

  /** Returns the newest messages of a conversation, oldest first. */
  async messages(conversation: string, limit = 50): Promise<SeenMessage[]> {
    const path = `/api/v1/channels/${await this.#goTo(conversation)}/messages`;
    const { messages } = await this.client.call<{ messages: SeenMessage[] }>('GET', path, {
      query: { limit },
    });
    return messages;
  }

  /**
   * Waits for an event on the person's stream. Includes earlier events. @throws Error after
   * `timeoutMs` (default 10 s)
   */
  async hears(isWanted: (event: PersonEvent) => boolean, timeoutMs = 10_000): Promise<PersonEvent> {
    const stream = await this.stream();
    const event = await stream.next(isWanted, { timeoutMs });
    if (event) return event;
    const received = stream.events.map((one) => one.event).join(', ') || 'nothing';
    throw new Error(`${this.name} waited ${timeoutMs} ms and received ${received}`);
  }

  /** Returns the person's stream. Opens it on first use. */
  stream(): Promise<PersonStream> {
    return (this.#stream ??= PersonStream.open(this.client));
  }

  /** Closes the stream. */
  async leave(): Promise<void> {
    (await this.#stream?.catch(() => undefined))?.close();
    this.#stream = undefined;
  }

  async #interact(actionId: string, chosen: object, options: ClickOptions): Promise<Answer> {
    const place = options.in ?? this.#place;
    if (!place) throw new Error('specify the conversation: { in: "general" }');
    const messages = await this.messages(place, 100);
    const found = newestWith(
      messages.filter(({ id }) => !options.message || id === options.message),
      actionId,
    );
    if (!found) throw new Error(`no message in ${place} has "${actionId}" for ${this.name}`);
    const body = { action_id: actionId, signed_token: found.element.signed_token, ...chosen };
    const path = `/api/v1/client/messages/${found.message.id}/interactions`;
    return this.#do(found.message.conversation_id, options.waitMs ?? WAIT_MS, () =>
      this.client.call<DirectAnswer>('POST', path, { body }),
    );
  }

  /** Performs an action and waits for its answer. */
  async #do(
    conversation: string | undefined,
    waitMs: number,
    action: () => Promise<DirectAnswer>,
  ): Promise<Answer> {
    const stream = await this.stream();
    const from = stream.events.length;
    const direct = await action();
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

/** A suggestion shown while a person types. */
export interface Choice {
  readonly name: string;
  readonly value: string;
}
