import { isQuietAt } from '@tieline/spaces';
import type { QuietHours, Role } from '@tieline/spaces';
import type { MessageNotice } from '@tieline/conversations';

/** How a person is notified of a message: in the app only, or also by a push. */
export type NotificationKind = 'in_app' | 'push';

/** A member and their settings at the time of the message. */
export interface Recipient {
  userId: string;
  muted: boolean;
  dndUntil: Date | null;
  quietHours: QuietHours | null;
  /** Whether the member has an open stream that is not viewing the conversation. */
  isHere: boolean;
}

/**
 * Returns how one member is notified. Every member gets an in-app notification. A push requires a
 * mention, a webhook that may push, and a severity above info. A muted conversation never pushes.
 * DND and quiet hours suppress all pushes except critical ones
 * (docs/notifications.md#who-gets-a-push).
 */
export function notificationKind(notice: MessageNotice, recipient: Recipient, now: Date): NotificationKind {
  if (!mayPush(notice) || !isAddressed(notice, recipient) || recipient.muted) return 'in_app';
  return notice.severity === 'critical' || !prefersQuiet(recipient, now) ? 'push' : 'in_app';
}

/**
 * Returns whether the notice allows pushes. `silent: false` overrides a webhook that does not push.
 */
export function mayPush({ default_push: defaultPush, silent, severity }: MessageNotice): boolean {
  return severity !== 'info' && silent !== true && (defaultPush || silent === false);
}

/** Returns whether the notice can become a push for anyone. */
export function canPush(notice: MessageNotice): boolean {
  return mayPush(notice) && (notice.channel || notice.here || notice.mentions.length > 0);
}

/**
 * Returns whether a person is notified at all. The card of an approval notifies only the people who
 * may decide it (docs/approvals.md#notifications).
 */
export function concerns({ approval }: MessageNotice, userId: string, role: Role): boolean {
  if (!approval) return true;
  if (userId === approval.except) return false;
  return approval.user_ids.includes(userId) || approval.roles.includes(role);
}

function isAddressed({ mentions, channel, here }: MessageNotice, { userId, isHere }: Recipient): boolean {
  return channel || (here && isHere) || mentions.includes(userId);
}

function prefersQuiet({ dndUntil, quietHours }: Recipient, now: Date): boolean {
  return (dndUntil !== null && now < dndUntil) || isQuietAt(quietHours, now);
}
