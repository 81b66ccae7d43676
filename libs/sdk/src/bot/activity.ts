/**
 * What a bot is told of. `closed` is a form that somebody left, `options` a question for choices
 * while somebody types.
 */
export type Kind = 'event' | 'click' | 'select' | 'submit' | 'closed' | 'command' | 'options';

/** Something that happened, whichever way the bot learned of it. */
export interface Happening {
  kind: Kind;
  /**
   * The same however often it arrives: it is handled once, and what is written because of it
   * carries it.
   */
  key: string;
  /** What a handler is chosen by: an event type, an `action_id`, the name of a command. */
  name: string;
  /** `event_type` as Tieline calls it. */
  type: string;
  /** Empty where there is none. */
  conversationId: string;
  /** Who did it; empty for what the system did. */
  userId: string;
  /** The event's `data`, or the interaction, as Tieline sent it. */
  payload: Readonly<Record<string, unknown>>;
}

/** Parsed JSON of the server or of people: what is in it is known to whoever asked for it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each value would need a cast of its own in every handler
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
 * A record of the queue, a callback, or the payload of a socket's envelope (contract, "Event
 * polling", "Interactive callback delivery"). `key` stands in where the payload names nothing that
 * stays the same.
 */
export function happeningOf(type: string, payload: Fields, key: string): Happening {
  const kind = KINDS[type] ?? 'event';
  return {
    kind,
    key: text(payload.interaction_id) || text(payload.trigger_id) || key,
    name: kind === 'event' ? type : nameOf(kind, payload),
    type,
    conversationId: text(payload.conversation_id),
    userId: text(payload.actor_user_id) || text(payload.user_id) || text(payload.author_id),
    payload,
  };
}

/** The envelope of a push, and of an event over a socket. */
export function happeningOfEnvelope(envelope: Fields): Happening {
  const data = (envelope.data ?? {}) as Fields;
  const happening = happeningOf(text(envelope.event_type), data, text(envelope.event_id));
  return {
    ...happening,
    key: text(envelope.event_id),
    conversationId: text(envelope.conversation_id),
    userId: text(envelope.actor_user_id),
  };
}

/** A command's callback names no type; the header does. */
export function typeOfCallback(payload: Fields): string {
  return text(payload.event_type) || (payload.trigger_id ? 'slash.command' : '');
}

function nameOf(kind: Kind, payload: Fields): string {
  if (kind === 'command') return text(payload.command);
  // Options of a command are asked for by option, those of a form by field.
  if (kind === 'options') return text(payload.option) || text(payload.field);
  return text(payload.action_id);
}
