/** What a browser shows of a push. */
export interface ShownPush {
  title: string;
  options: {
    body: string;
    /** Takes the place of an earlier one of the same message. */
    tag: string;
    renotify: boolean;
    /** Stays until somebody looks at it. */
    requireInteraction: boolean;
    /** Address of the message. */
    data: { address: string };
  };
}

/**
 * Reads what the server sent (docs/notifications.md). A browser must show something, so whatever
 * cannot be read leads to the chat.
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

/** An address is made of it: an id, or nothing. */
const idOf = (value: unknown): string =>
  typeof value === 'string' && /^[0-9a-f-]{36}$/i.test(value) ? value : '';
