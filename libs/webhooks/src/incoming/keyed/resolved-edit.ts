import { findMessage } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import { cutText, isVisible } from '../message/incoming-message.js';
import { fitToLimit } from '../message/rich-size.js';
import type { IncomingMessage } from '../message/incoming-message.js';
import { asResolved } from '../native/parts/native-format.js';

/** The message of a closed alert. */
interface ClosedAlert {
  messageId: string;
  repeatCount: number;
}

/**
 * Builds the edit that marks an alert's message as resolved. Uses the new text and metadata if the
 * sender gave any, else those already shown.
 */
export async function resolvedEdit(
  tx: Tx,
  spaceId: string,
  { messageId, repeatCount }: ClosedAlert,
  message: IncomingMessage,
): Promise<{ text: string; metadataJson: string }> {
  const isBare = !isVisible(message);
  const before = isBare ? await findMessage(tx, spaceId, messageId) : undefined;
  const shown = isBare ? (JSON.parse(before?.metadataJson ?? '{}') as object) : message.metadata;
  const text = cutText(asResolved(isBare ? (before?.text ?? '') : message.text), []);
  const metadata = { ...shown, severity: 'info', repeat_count: repeatCount, resolved: true };
  return { text, metadataJson: JSON.stringify(fitToLimit(metadata, () => undefined)) };
}
