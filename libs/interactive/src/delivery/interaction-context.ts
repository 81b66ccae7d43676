import type { ResponseFields } from '../responses/response-tokens.js';

/**
 * What a click, a selection or a submitted modal is about: the bot's message, one of its actions,
 * and who acted.
 */
export interface InteractionContext {
  spaceId: string;
  botId: string;
  userId: string;
  /** Where the message is: for one in a thread the thread's conversation. */
  conversationId: string;
  /** Root message, when the message is in a thread. */
  threadId: string | null;
  /** Null for a modal that a command opened. */
  messageId: string | null;
  /** For a modal the action that opened it, or the command's name. */
  actionId: string;
  /** Of the command that opened a modal. */
  triggerId: string | null;
  commandId: string | null;
}

/** What happened there. */
export type InteractionEvent =
  | { type: 'button.click'; data: string }
  | { type: 'select.submit'; data: string; selectedValues: readonly string[] }
  | ({ type: 'modal.submit'; values: Readonly<Record<string, unknown>> } & FromModal)
  | ({ type: 'modal.closed' } & FromModal);

/** What a validated modal brings back. */
interface FromModal {
  privateMetadata: string | undefined;
}

/** What a bot is asked to answer. */
export type AnswerableEvent = Exclude<InteractionEvent, { type: 'modal.closed' }>;

/**
 * What the bot is told (contract, "Interactive event payloads"): the same JSON in both modes, in
 * poll mode with `interaction_id`.
 */
export interface InteractionPayload {
  event_type: InteractionEvent['type'];
  space_id: string;
  actor_user_id: string;
  conversation_id: string;
  message_id?: string;
  trigger_id?: string;
  action_id: string;
  data?: string;
  /** "" where nothing was chosen. */
  selected_value?: string;
  selected_values?: readonly string[];
  values?: Readonly<Record<string, unknown>>;
  private_metadata?: string;
  thread_id?: string;
  occurred_at: string;
  interaction_id?: string;
  /** Answers it late (decisions, section 11.4). */
  response_token: string;
  response_url: string;
}

/** @param occurredAt RFC 3339, UTC, nine fractional digits */
export function interactionPayload(
  context: InteractionContext,
  event: InteractionEvent,
  occurredAt: string,
  late: ResponseFields,
  interactionId?: string,
): InteractionPayload {
  return {
    event_type: event.type,
    space_id: context.spaceId,
    actor_user_id: context.userId,
    conversation_id: context.conversationId,
    ...(context.messageId !== null && { message_id: context.messageId }),
    ...(context.triggerId !== null && { trigger_id: context.triggerId }),
    action_id: context.actionId,
    ...('data' in event && { data: event.data }),
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

/** The first value is also told alone, as to bots that know selects only. */
function selectedFields(
  values: readonly string[],
): Pick<InteractionPayload, 'selected_value' | 'selected_values'> {
  return { selected_value: values[0] ?? '', selected_values: values };
}
