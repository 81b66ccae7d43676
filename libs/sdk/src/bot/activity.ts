/**
 * Kind of activity. `closed`: a closed form. `options`: a request for suggestions while a person
 * types.
 */
export type Kind = 'event' | 'click' | 'select' | 'submit' | 'closed' | 'command' | 'options';

/** Something that a bot receives, regardless of the connector: an event, interaction or command. */
export interface Activity {
  kind: Kind;
  /**
   * Identical for every delivery of the same activity. It is handled once, and is the base of the
   * idempotency keys.
   */
  key: string;
  /** Selects the handler: an event type, an `action_id` or a command name. */
  name: string;
  /** `event_type` in Tieline. */
  type: string;
  /** Empty if there is none. */
  conversationId: string;
  /** The person or bot who acted. Empty for the system. */
  userId: string;
  /** The event's `data`, or the interaction. */
  payload: Readonly<Record<string, unknown>>;
}

/** Parsed JSON whose structure the handler knows. Otherwise every handler would cast each value. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = Readonly<Record<string, any>>;

type Fields = Readonly<Record<string, unknown>>;

const KINDS: Readonly<Record<string, Kind>> = {
  'button.click': 'click',
  'select.submit': 'select',
  'modal.submit': 'submit',
  'modal.closed': 'closed',
  'modal.options': 'options',
  'command.options': 'options',
  'slash.command': 'command',
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Converts a queue record, a callback or the payload of a socket envelope. `key` is used if the
 * payload contains no stable id.
 */
export function toActivity(type: string, payload: Fields, key: string): Activity {
  const kind = KINDS[type] ?? 'event';
  return {
    kind,
    key: text(payload.interaction_id) || (kind === 'command' && text(payload.trigger_id)) || key,
    name: kind === 'event' ? type : nameOf(kind, payload),
    type,
    conversationId: text(payload.conversation_id),
    userId: text(payload.actor_user_id) || text(payload.user_id) || text(payload.author_id),
    payload,
  };
}

/** Converts the envelope of a push or of an event over a socket. */
export function envelopeToActivity(envelope: Fields): Activity {
  const data = (envelope.data ?? {}) as Fields;
  const activity = toActivity(text(envelope.event_type), data, text(envelope.event_id));
  return {
    ...activity,
    key: text(envelope.event_id),
    conversationId: text(envelope.conversation_id),
    userId: text(envelope.actor_user_id),
  };
}

/** Returns the type of a callback. The body of a command's callback contains none. */
export function callbackType(payload: Fields): string {
  return text(payload.event_type) || (payload.trigger_id ? 'slash.command' : '');
}

function nameOf(kind: Kind, payload: Fields): string {
  if (kind === 'command') return text(payload.command);
  // Options of a command are named by option, those of a form by field.
  if (kind === 'options') return text(payload.option) || text(payload.field);
  return text(payload.action_id);
}
