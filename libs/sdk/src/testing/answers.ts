import type { SeenMessage } from './messages.js';
import type { PersonEvent } from './stream.js';

/** Result of a person's action, as the person sees it. */
export interface Answer {
  /**
   * `sent`: the person's own message. `message`: a new or edited message of the bot. `ephemeral`: a
   * text only for them. `modal`: a form opened, replaced or pushed. `errors`: the form was
   * rejected. `noop`: nothing. `duplicate`: a repeated click, which counts once. `pending`: nothing
   * within the waiting time.
   */
  readonly result: 'sent' | 'message' | 'ephemeral' | 'modal' | 'errors' | 'noop' | 'duplicate' | 'pending';
  readonly text?: string;
  readonly message?: SeenMessage;
  readonly messageId?: string;
  /** The form sent by the bot. */
  readonly modal?: Readonly<Record<string, unknown>>;
  readonly modalToken?: string;
  /** Errors by field. */
  readonly errors?: Readonly<Record<string, string>>;
}

/**
 * A response of the client endpoints for clicks, forms and commands, or an equivalent event of the
 * stream.
 */
export interface DirectAnswer {
  readonly result?: string;
  readonly event?: string;
  readonly text?: string;
  readonly ephemeral_text?: string;
  readonly message_id?: string;
  readonly modal?: Record<string, unknown>;
  readonly modal_token?: string;
  readonly errors?: Record<string, string>;
}

const FORMS = new Set([
  'open_modal',
  'update_modal',
  'push_modal',
  'modal.open',
  'modal.update',
  'modal.push',
]);
const EVENTS = new Set(['ephemeral', 'modal.open', 'modal.update', 'modal.push', 'modal.errors']);
const PENDING = new Set(['queued', 'ack']);
const MESSAGES = new Set(['message.new', 'message.edited', 'message.deleted']);

/** Whether an event of the stream answers a click or command in a conversation. */
function isAnswer(event: PersonEvent, conversation: string | undefined, ownId?: string): boolean {
  if (EVENTS.has(event.event)) return true;
  if (!MESSAGES.has(event.event) || event.author_id === ownId) return false;
  const { parent_conversation_id: parent } = (event.conversation_context ?? {}) as Record<string, unknown>;
  return conversation === undefined || event.conversation_id === conversation || parent === conversation;
}

/**
 * Returns a filter for the event that completes an answer: the bot's answer if it is pending, or
 * the message if only its id is known. Undefined for a complete answer.
 */
export function awaitedBy(
  { result, message, messageId }: Answer,
  conversation: string | undefined,
  ownId?: string,
): ((event: PersonEvent) => boolean) | undefined {
  if (result === 'pending') return (event) => isAnswer(event, conversation, ownId);
  if (result !== 'message' || message) return undefined;
  return (event) => MESSAGES.has(event.event) && event.message_id === messageId;
}

/** Normalizes the answers of all delivery modes. */
export function answerOf(answer: DirectAnswer): Answer {
  const kind = answer.result ?? answer.event ?? '';
  if (FORMS.has(kind)) return { result: 'modal', modal: answer.modal, modalToken: answer.modal_token };
  if (kind === 'errors' || kind === 'modal.errors') return { result: 'errors', errors: answer.errors };
  if (MESSAGES.has(kind)) {
    const message = answer as unknown as SeenMessage;
    return { result: 'message', text: answer.text, messageId: answer.message_id, message };
  }
  const text = answer.ephemeral_text ?? answer.text;
  if (kind === 'ephemeral' || answer.ephemeral_text) return { result: 'ephemeral', text };
  if (PENDING.has(kind)) return { result: 'pending' };
  if (kind === 'duplicate') return { result: 'duplicate' };
  if (answer.message_id) return { result: 'message', text, messageId: answer.message_id };
  return { result: 'noop' };
}
