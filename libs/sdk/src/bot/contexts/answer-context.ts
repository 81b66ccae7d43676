import { ephemeralOf, partsOf } from '../answers/answer.js';
import type { Answer, EphemeralMessage, Message, Modal } from '../answers/answer.js';
import type { Responder } from '../answers/responder.js';
import type { Receipt } from '../answers/late-answers.js';
import type { Client } from '../../client/client.js';
import type { Activity, Json } from '../activity.js';
import { Context } from './context.js';

/**
 * An activity whose person waits for an answer. The first answer uses the fastest way and has no
 * receipt. Every further answer, and the first after `later()`, is a separate request. Tieline
 * accepts five of those within half an hour.
 */
export class AnswerContext extends Context {
  constructor(
    client: Client,
    happening: Activity,
    signal: AbortSignal,
    private readonly responder: Responder,
  ) {
    super(client, happening, signal);
  }

  /** Id of the message that the person acted on. Empty for commands. */
  get messageId(): string {
    return this.textOf('message_id');
  }

  /** Posts a message that everyone sees. */
  reply(message: Message): Promise<Receipt> {
    return this.answer({ send_message: partsOf(message) });
  }

  /** Shows a message only to this person. It is not stored. Buttons in it work. */
  ephemeral(message: EphemeralMessage): Promise<Receipt> {
    return this.answer(ephemeralOf(message));
  }

  /**
   * Deletes the message that the person acted on, or the first message posted by the command. Calls
   * `later()` first.
   */
  async delete(): Promise<Receipt> {
    await this.later();
    return this.answer({ delete_message: true });
  }

  /**
   * Releases the person from waiting. Later answers appear when they are ready. Happens
   * automatically after 2.5 seconds. With callbacks, Tieline then considers the activity handled
   * and does not send it again.
   */
  later(): Promise<void> {
    return this.responder.later();
  }

  /**
   * Sends any answer of docs/interactive.md.
   * @throws TooLate
   * @throws TypeError for an answer that is not possible or no longer possible
   */
  answer(answer: Answer): Promise<Receipt> {
    return this.responder.send(answer);
  }
}

/** A slash command. */
export class CommandContext extends AnswerContext {
  /** Name without the slash. */
  get command(): string {
    return this.textOf('command');
  }

  /** Text typed after the name. */
  get text(): string {
    return this.textOf('text');
  }

  /** Typed values of the command's options, by name. */
  get options(): Json {
    return (this.payload.options ?? {}) as Json;
  }

  /** Also opens one modal, with `openModal` of `@tieline/sdk/api`. */
  get triggerId(): string {
    return this.textOf('trigger_id');
  }

  /** Edits the first message posted by the command. Only after `reply`. */
  update(message: Message): Promise<Receipt> {
    return this.answer({ update_message: partsOf(message) });
  }

  /** Opens a form. @throws TypeError for a polled command */
  openModal(modal: Modal): Promise<Receipt> {
    return this.answer({ open_modal: modal });
  }
}

/** A clicked button or a selection. */
export class ClickContext extends AnswerContext {
  /** Opens one modal within five minutes, with `openModal` of `@tieline/sdk/api`. */
  get triggerId(): string {
    return this.textOf('trigger_id');
  }

  get actionId(): string {
    return this.textOf('action_id');
  }

  /** `data` of the button. */
  get data(): string {
    return this.textOf('data');
  }

  /**
   * What the person thinks of the message, for feedback buttons; `none` if they withdrew it. Empty
   * for other elements.
   */
  get feedback(): 'positive' | 'negative' | 'none' | '' {
    return this.textOf('feedback') as 'positive' | 'negative' | 'none' | '';
  }

  /** First selected value. Empty for buttons. */
  get value(): string {
    return this.textOf('selected_value');
  }

  /** All selected values. */
  get values(): readonly string[] {
    return (this.payload.selected_values ?? []) as string[];
  }

  /** Edits the message. Omitted parts stay unchanged. */
  update(message: Message): Promise<Receipt> {
    return this.answer({ update_message: partsOf(message) });
  }

  openModal(modal: Modal): Promise<Receipt> {
    return this.answer({ open_modal: modal });
  }
}
