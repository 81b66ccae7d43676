import { showMoment } from './reminder-moment.js';
import type { Reminder } from './reminders.queries.js';

/** Maximum length of each text in a list, in code points. */
const SHOWN = 100;
/** A reminder that is posted later than this mentions the delay. */
const LATE_MS = 5000;

/** Returns the confirmation of a new reminder: text, recipient and time. */
export function confirmation(reminder: Omit<Reminder, 'id'>): string {
  return `I will remind ${whom(reminder)} at ${showMoment(reminder.dueAt, reminder.timeZone)}: ${reminder.text}`;
}

/** Returns a person's reminders, numbered as for `/remind cancel`. */
export function listText(reminders: readonly Reminder[], zone: string): string {
  if (reminders.length === 0) return 'You have no reminders.';
  const lines = reminders.map(
    (reminder, index) =>
      `${index + 1}. ${showMoment(reminder.dueAt, zone)}, for ${whom(reminder)}: ${shorten(reminder.text)}`,
  );
  return ['Your reminders:', ...lines, 'Use /remind cancel <n> to cancel one.'].join('\n');
}

/**
 * Returns the confirmation of a cancellation. It names the reminder, because numbers change
 * whenever a reminder is posted.
 */
export function cancelledText({ dueAt, timeZone, text }: Reminder): string {
  return `Cancelled: ${showMoment(dueAt, timeZone)}: ${shorten(text)}`;
}

/** Returns the text of a reminder that is posted now. */
export function reminderText({ text, dueAt, timeZone }: Reminder, now: Date): string {
  const isLate = now.getTime() - dueAt.getTime() > LATE_MS;
  return `Reminder: ${text}${
    isLate ? `\n(This reminder is late. It was due at ${showMoment(dueAt, timeZone)}.)` : ''
  }`;
}

/** Returns the message to the creator if a reminder could not be delivered. */
export function undeliveredText({ text, dueAt, timeZone }: Reminder, reason: string): string {
  return `Your reminder for ${showMoment(dueAt, timeZone)} could not be delivered: ${reason}.\n${text}`;
}

function whom({ recipientId, userId }: Pick<Reminder, 'recipientId' | 'userId'>): string {
  if (recipientId === null) return 'this conversation';
  return recipientId === userId ? 'you' : `<@${recipientId}>`;
}

function shorten(text: string): string {
  const shown = [...text.replaceAll(/\s+/gu, ' ')];
  return shown.length > SHOWN ? `${shown.slice(0, SHOWN - 1).join('')}…` : shown.join('');
}
