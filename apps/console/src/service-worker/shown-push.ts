/** An approval that can be decided from its notification. */
export interface PushedApproval {
  id: string;
  /** Ids of options, by action. */
  options: Readonly<Record<string, string>>;
}

/** The content of a notification. */
interface ShownPush {
  title: string;
  options: {
    body: string;
    /** Replaces an earlier notification of the same message. */
    tag: string;
    renotify: boolean;
    /** Whether the notification stays until the user acts on it. */
    requireInteraction: boolean;
    /** Address of the message, and the options of an approval by action. */
    data: { address: string; approval?: PushedApproval };
    /** Buttons. */
    actions?: { action: 'approve' | 'deny'; title: string }[];
  };
}

/**
 * Parses a push (docs/notifications.md). Browsers must show something, so an unreadable push links
 * to the chat.
 */
export function shownPush(text: string | undefined): ShownPush {
  const push = fieldsOf(text);
  const [conversation, message] = [idOf(push.conversation_id), idOf(push.message_id)];
  const approval = approvalOf(push);
  const isWhole = conversation !== '' && message !== '';
  return {
    title: textOf(push.title) || 'Tieline',
    options: {
      body: textOf(push.body),
      tag: message || 'tieline',
      renotify: true,
      requireInteraction: push.severity === 'critical',
      data: {
        address: isWhole ? `/c/${conversation}/${message}` : '/chat',
        ...(approval && { approval: { id: approval.id, options: approval.options } }),
      },
      ...(approval && { actions: approval.actions }),
    },
  };
}

/** Returns the buttons of an approval, or undefined if the push has none. */
function approvalOf(push: Record<string, unknown>) {
  const id = idOf(push.approval_id);
  const given = Array.isArray(push.actions) ? (push.actions as unknown[]) : [];
  const actions = given.flatMap((one): { action: 'approve' | 'deny'; option: string; title: string }[] => {
    const { action, option_id: option, title } = (one ?? {}) as Record<string, unknown>;
    const isKnown = action === 'approve' || action === 'deny';
    return isKnown && textOf(option) !== '' ? [{ action, option: textOf(option), title: textOf(title) }] : [];
  });
  if (id === '' || actions.length === 0) return undefined;
  return {
    id,
    options: Object.fromEntries(actions.map(({ action, option }) => [action, option])),
    actions: actions.map(({ action, title }) => ({ action, title: title || action })),
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
