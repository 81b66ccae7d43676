import { ephemeralOf, partsOf } from '../answers/answer.js';
import type { Answer, EphemeralMessage, Message, Modal } from '../answers/answer.js';
import type { Answering } from '../answers/answering.js';
import type { Receipt } from '../answers/late-answers.js';
import type { Client } from '../../client/client.js';
import type { Happening, Json } from '../happening.js';
import { Context } from './context.js';

/**
 * Somebody did something and waits. The first answer goes the shortest way and has no receipt;
 * every further one is a request of its own, as is the first after `later()`. Five of those are
 * taken within half an hour.
 */
export class AnswerContext extends Context {
  constructor(
    client: Client,
    happening: Happening,
    signal: AbortSignal,
    private readonly answering: Answering,
  ) {
    super(client, happening, signal);
  }

  /** The message that it was done in; empty for commands. */
  get messageId(): string {
    return this.textOf('message_id');
  }

  /** Posts a message beside it, for everybody. */
  reply(message: Message): Promise<Receipt> {
    return this.answer({ send_message: partsOf(message) });
  }

  /** For this person alone, in no history; buttons in it work for them. */
  ephemeral(message: EphemeralMessage): Promise<Receipt> {
    return this.answer(ephemeralOf(message));
  }

  /**
   * Deletes the message that it was done in, or the first that the command posted. It is no first
   * answer: the person waits no longer.
   */
  async delete(): Promise<Receipt> {
    await this.later();
    return this.answer({ delete_message: true });
  }

  /**
   * The person need not wait any longer: what follows comes when it is ready. Happens by itself
   * after two and a half seconds. Called back, Tieline regards it as dealt with from here on and
   * does not bring it again.
   */
  later(): Promise<void> {
    return this.answering.later();
  }

  /**
   * Any answer, as docs/interactive.md has it. @throws TooLate, TypeError for one that is not
   * possible (any more)
   */
  answer(answer: Answer): Promise<Receipt> {
    return this.answering.give(answer);
  }
}

/** A slash command. */
export class CommandContext extends AnswerContext {
  /** Its name, without the slash. */
  get command(): string {
    return this.textOf('command');
  }

  /** What was typed behind the name. */
  get text(): string {
    return this.textOf('text');
  }

  /** Typed values of the command's options, by their names. */
  get options(): Json {
    return (this.payload.options ?? {}) as Json;
  }

  get triggerId(): string {
    return this.textOf('trigger_id');
  }

  /** Edits the first message that the command posted; only after `reply`. */
  update(message: Message): Promise<Receipt> {
    return this.answer({ update_message: partsOf(message) });
  }

  /** Opens a form. A polled command can't: TypeError. */
  openModal(modal: Modal): Promise<Receipt> {
    return this.answer({ open_modal: modal });
  }
}

/** A button was clicked, or something was chosen. */
export class ClickContext extends AnswerContext {
  get actionId(): string {
    return this.textOf('action_id');
  }

  /** The button's `data`, as it was sent. */
  get data(): string {
    return this.textOf('data');
  }

  /** The first value that was chosen; empty for buttons. */
  get value(): string {
    return this.textOf('selected_value');
  }

  /** All that were chosen. */
  get values(): readonly string[] {
    return (this.payload.selected_values ?? []) as string[];
  }

  /** Edits the message; parts that are left out stay. */
  update(message: Message): Promise<Receipt> {
    return this.answer({ update_message: partsOf(message) });
  }

  openModal(modal: Modal): Promise<Receipt> {
    return this.answer({ open_modal: modal });
  }
}
