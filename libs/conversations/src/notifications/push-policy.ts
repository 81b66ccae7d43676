import { isQuietAt } from '@tieline/spaces';
import type { QuietHours } from '@tieline/spaces';
import type { MessageNotice } from '../events/chat-event.js';

/** How a person hears of a message: in the app alone, or by a push as well. */
export type NotificationKind = 'in_app' | 'push';

/** What is known of a member at the moment of the message. */
export interface Recipient {
  userId: string;
  muted: boolean;
  dndUntil: Date | null;
  quietHours: QuietHours | null;
  /** Has an open stream that looks elsewhere. */
  isHere: boolean;
}

/**
 * How one member is notified (contract, "Push policy"; decisions, section 9). Every member hears of
 * it in the app. A push takes a mention, a webhook that may push, and a severity above info; a
 * muted conversation never pushes, and DND and quiet hours hold back all but what is critical.
 */
export function notificationKind(notice: MessageNotice, recipient: Recipient, now: Date): NotificationKind {
  if (!mayPush(notice) || !isMeant(notice, recipient) || recipient.muted) return 'in_app';
  return notice.severity === 'critical' || !isDisturbed(recipient, now) ? 'push' : 'in_app';
}

/**
 * Whether it can become a push for anybody; `silent: false` overrides a webhook that does not push.
 */
export function mayPush({ default_push: defaultPush, silent, severity }: MessageNotice): boolean {
  return severity !== 'info' && silent !== true && (defaultPush || silent === false);
}

/** Whether the notice can become a push for somebody. */
export function canPush(notice: MessageNotice): boolean {
  return mayPush(notice) && (notice.channel || notice.here || notice.mentions.length > 0);
}

function isMeant({ mentions, channel, here }: MessageNotice, { userId, isHere }: Recipient): boolean {
  return channel || (here && isHere) || mentions.includes(userId);
}

function isDisturbed({ dndUntil, quietHours }: Recipient, now: Date): boolean {
  return (dndUntil !== null && now < dndUntil) || isQuietAt(quietHours, now);
}
