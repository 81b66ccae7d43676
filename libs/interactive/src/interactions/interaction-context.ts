import type { FeedbackChoice } from '@tieline/conversations';
import type { ResponseFields } from '../responses/response-tokens.js';

/**
 * The subject of a click, a selection or a submitted modal: the bot's message, the action, and the
 * person who acted.
 */
export interface InteractionContext {
  spaceId: string;
  botId: string;
  userId: string;
  /** Conversation of the message; for a message in a thread, the thread's conversation. */
  conversationId: string;
  /** Root message if the message is in a thread. */
  threadId: string | null;
  /** Null for a modal that a command opened. */
  messageId: string | null;
  /** For a modal, the action or the command's name that opened it. */
  actionId: string;
  /** Trigger of the command that opened the modal; otherwise null. */
  triggerId: string | null;
  commandId: string | null;
}

/** What the person did. */
export type InteractionEvent =
  | { type: 'button.click'; data: string; feedback?: FeedbackChoice }
  | { type: 'select.submit'; data: string; selectedValues: readonly string[] }
  | ({ type: 'modal.submit'; values: Readonly<Record<string, unknown>> } & FromModal)
  | ({ type: 'modal.closed' } & FromModal);

/** Fields that a validated modal returns to the bot. */
interface FromModal {
  modalId: string;
  privateMetadata: string | undefined;
}

/** An event that the bot can answer. */
export type AnswerableEvent = Exclude<InteractionEvent, { type: 'modal.closed' }>;

/**
 * The payload of an interaction event: the same JSON in both modes. Only poll mode adds
 * `interaction_id`.
 */
export interface InteractionPayload {
  event_type: InteractionEvent['type'];
  space_id: string;
  actor_user_id: string;
  conversation_id: string;
  message_id?: string;
  trigger_id?: string;
  modal_id?: string;
  action_id: string;
  data?: string;
  feedback?: FeedbackChoice;
  /** "" if nothing was chosen. */
  selected_value?: string;
  selected_values?: readonly string[];
  values?: Readonly<Record<string, unknown>>;
  private_metadata?: string;
  thread_id?: string;
  occurred_at: string;
  interaction_id?: string;
  /** Token for a late answer. */
  response_token: string;
  response_url: string;
}

/**
 * @param occurredAt RFC 3339, UTC, nine fractional digits
 * @param triggerId of the click, or of the command that opened the modal
 */
export function interactionPayload(
  context: InteractionContext,
  event: InteractionEvent,
  occurredAt: string,
  late: ResponseFields,
  triggerId: string | null,
  interactionId?: string,
): InteractionPayload {
  return {
    event_type: event.type,
    space_id: context.spaceId,
    actor_user_id: context.userId,
    conversation_id: context.conversationId,
    ...(context.messageId !== null && { message_id: context.messageId }),
    ...(triggerId !== null && { trigger_id: triggerId }),
    ...('modalId' in event && { modal_id: event.modalId }),
    action_id: context.actionId,
    ...('data' in event && { data: event.data }),
    ...('feedback' in event && { feedback: event.feedback }),
    ...(event.type === 'select.submit' && selectedFields(event.selectedValues)),
    ...('values' in event && { values: event.values }),
    ...('privateMetadata' in event &&
      event.privateMetadata !== undefined && { private_metadata: event.privateMetadata }),
    ...(context.threadId !== null && { thread_id: context.threadId }),
    occurred_at: occurredAt,
    ...(interactionId !== undefined && { interaction_id: interactionId }),
    ...late,
  };
}

/**
 * Returns the selected values. `selected_value` repeats the first one for bots that only know
 * selects.
 */
function selectedFields(
  values: readonly string[],
): Pick<InteractionPayload, 'selected_value' | 'selected_values'> {
  return { selected_value: values[0] ?? '', selected_values: values };
}
