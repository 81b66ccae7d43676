import { partsOf } from '../answers/answer.js';
import type { Choice, Message, Modal } from '../answers/answer.js';
import type { Receipt } from '../answers/late-answers.js';
import type { Json } from '../happening.js';
import { AnswerContext } from './answer-context.js';
import { Context } from './context.js';

const isModal = (given: Message | Modal): given is Modal => typeof given === 'object' && 'fields' in given;

/** A form was submitted. */
export class SubmitContext extends AnswerContext {
  /** The action that opened the form, or the name of the command. */
  get actionId(): string {
    return this.textOf('action_id');
  }

  /**
   * What was filled in, by the ids of the fields. Of a form without `validate` nobody has looked at
   * it.
   */
  get values(): Json {
    return (this.payload.values ?? {}) as Json;
  }

  /** The form's `private_metadata`. */
  get privateMetadata(): string {
    return this.textOf('private_metadata');
  }

  /** The form stays open and says this at its fields. */
  errors(errors: Readonly<Record<string, string>>): Promise<Receipt> {
    return this.answer({ errors });
  }

  /**
   * Shows another form in the place of this one; or, without `fields`, edits the message that it
   * came from.
   */
  update(given: Modal | Message): Promise<Receipt> {
    return this.answer(isModal(given) ? { update_modal: given } : { update_message: partsOf(given) });
  }

  /** Shows another form on top, three deep. */
  push(modal: Modal): Promise<Receipt> {
    return this.answer({ push_modal: modal });
  }

  /**
   * Opens a form that follows this one; when called back, Tieline takes `push` or `update` only.
   */
  openModal(modal: Modal): Promise<Receipt> {
    return this.answer({ open_modal: modal });
  }

  /** The form goes, and nothing else happens. */
  close(): Promise<Receipt> {
    return this.answer({ noop: true });
  }
}

/** A form with `notify_on_close` was left. Answers are requests of their own. */
export class ClosedContext extends AnswerContext {
  get actionId(): string {
    return this.textOf('action_id');
  }

  get privateMetadata(): string {
    return this.textOf('private_metadata');
  }

  /** Edits the message that the form came from. */
  update(message: Message): Promise<Receipt> {
    return this.answer({ update_message: partsOf(message) });
  }
}

/**
 * Somebody types, into an option of a command or a field of a form. What the handler returns is
 * suggested.
 */
export class OptionsContext extends Context {
  get typed(): string {
    return this.textOf('typed');
  }

  /** The command; empty for forms. */
  get command(): string {
    return this.textOf('command');
  }

  /** The action that opened the form; empty for commands. */
  get actionId(): string {
    return this.textOf('action_id');
  }

  /** The option or the field. */
  get field(): string {
    return this.textOf('option') || this.textOf('field');
  }

  get privateMetadata(): string {
    return this.textOf('private_metadata');
  }
}

/** A text stands for a choice whose name and value are the same. */
export type Choices = readonly (string | Choice)[];

/** As Tieline takes them: 25 at most. */
export function choicesOf(choices: Choices): Choice[] {
  return choices.slice(0, 25).map((one) => (typeof one === 'string' ? { name: one, value: one } : one));
}
