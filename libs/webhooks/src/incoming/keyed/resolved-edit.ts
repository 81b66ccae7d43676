import { findMessage } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import { cutText, isVisible } from '../formats/incoming-message.js';
import { fitting } from '../formats/rich-size.js';
import type { IncomingMessage } from '../formats/incoming-message.js';
import { asResolved } from '../native/native-format.js';

/** The message of an alert, and how often it was repeated. */
interface EndedAlert {
  messageId: string;
  repeatCount: number;
}

/**
 * What the message of an alert becomes when it is over (decisions, section 11.2): what was sent
 * with that, or what it showed already, marked as resolved.
 */
export async function resolvedEdit(
  tx: Tx,
  spaceId: string,
  { messageId, repeatCount }: EndedAlert,
  message: IncomingMessage,
): Promise<{ text: string; metadataJson: string }> {
  const isBare = !isVisible(message);
  const before = isBare ? await findMessage(tx, spaceId, messageId) : undefined;
  const shown = isBare ? (JSON.parse(before?.metadataJson ?? '{}') as object) : message.metadata;
  const text = cutText(asResolved(isBare ? (before?.text ?? '') : message.text), []);
  const metadata = { ...shown, severity: 'info', repeat_count: repeatCount, resolved: true };
  return { text, metadataJson: JSON.stringify(fitting(metadata, () => undefined)) };
}
