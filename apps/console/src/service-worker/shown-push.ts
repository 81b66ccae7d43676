/** The content of a notification. */
export interface ShownPush {
  title: string;
  options: {
    body: string;
    /** Replaces an earlier notification of the same message. */
    tag: string;
    renotify: boolean;
    /** Whether the notification stays until the user acts on it. */
    requireInteraction: boolean;
    /** Address of the message. */
    data: { address: string };
  };
}

/**
 * Parses a push (docs/notifications.md). Browsers must show something, so an unreadable push links
 * to the chat.
 */
export function shownPush(text: string | undefined): ShownPush {
  const push = fieldsOf(text);
  const [conversation, message] = [idOf(push.conversation_id), idOf(push.message_id)];
  const isWhole = conversation !== '' && message !== '';
  return {
    title: textOf(push.title) || 'Tieline',
    options: {
      body: textOf(push.body),
      tag: message || 'tieline',
      renotify: true,
      requireInteraction: push.severity === 'critical',
      data: { address: isWhole ? `/c/${conversation}/${message}` : '/chat' },
    },
  };
}

function fieldsOf(text: string | undefined): Record<string, unknown> {
  try {
    const fields = JSON.parse(text ?? '') as unknown;
    return typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns an id, or an empty text. The result becomes part of an address. */
const idOf = (value: unknown): string =>
  typeof value === 'string' && /^[0-9a-f-]{36}$/i.test(value) ? value : '';
