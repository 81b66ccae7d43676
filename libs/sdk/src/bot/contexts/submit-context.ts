import { partsOf } from '../answers/answer.js';
import type { Choice, Message, Modal } from '../answers/answer.js';
import type { Receipt } from '../answers/late-answers.js';
import type { Json } from '../activity.js';
import { AnswerContext } from './answer-context.js';
import { Context } from './context.js';

const isModal = (given: Message | Modal): given is Modal => typeof given === 'object' && 'fields' in given;

/** A submitted form. */
export class SubmitContext extends AnswerContext {
  /** The action or the command that opened the form. */
  get actionId(): string {
    return this.textOf('action_id');
  }

  /** Id of the form, for `updateModal` and `pushModal` of `@tieline/sdk/api`. */
  get modalId(): string {
    return this.textOf('modal_id');
  }

  /** Values by field id. Not validated for a form without `validate`. */
  get values(): Json {
    return (this.payload.values ?? {}) as Json;
  }

  /** The form's `private_metadata`. */
  get privateMetadata(): string {
    return this.textOf('private_metadata');
  }

  /** Keeps the form open and shows these errors at its fields. */
  errors(errors: Readonly<Record<string, string>>): Promise<Receipt> {
    return this.answer({ errors });
  }

  /**
   * Replaces the form with another one. Without `fields`, edits the message that the form came
   * from.
   */
  update(given: Modal | Message): Promise<Receipt> {
    return this.answer(isModal(given) ? { update_modal: given } : { update_message: partsOf(given) });
  }

  /** Opens another form on top, up to three levels. */
  push(modal: Modal): Promise<Receipt> {
    return this.answer({ push_modal: modal });
  }

  /** Opens a form after this one. With callbacks, Tieline accepts only `push` and `update`. */
  openModal(modal: Modal): Promise<Receipt> {
    return this.answer({ open_modal: modal });
  }

  /** Closes the form. */
  close(): Promise<Receipt> {
    return this.answer({ noop: true });
  }
}

/** A closed form with `notify_on_close`. Answers are separate requests. */
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
 * A person types into an option of a command or a field of a form. The handler returns the
 * suggestions.
 */
export class OptionsContext extends Context {
  get typed(): string {
    return this.textOf('typed');
  }

  /** The command. Empty for forms. */
  get command(): string {
    return this.textOf('command');
  }

  /** The action that opened the form. Empty for commands. */
  get actionId(): string {
    return this.textOf('action_id');
  }

  /** Name of the option or field. */
  get field(): string {
    return this.textOf('option') || this.textOf('field');
  }

  get privateMetadata(): string {
    return this.textOf('private_metadata');
  }
}

/** Suggestions. A text is a choice with the same name and value. */
export type Choices = readonly (string | Choice)[];

/** Converts suggestions to the format of the API, at most 25. */
export function choicesOf(choices: Choices): Choice[] {
  return choices.slice(0, 25).map((one) => (typeof one === 'string' ? { name: one, value: one } : one));
}
