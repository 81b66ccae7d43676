import { showMoment } from './reminder-moment.js';
import type { Reminder } from './reminders.queries.js';

/** Length of each text in a list, in code points. */
const SHOWN = 100;
/** A reminder that comes later than this says so. */
const LATE_MS = 5000;

/** What was set, whom it will reach and when. */
export function confirmation(reminder: Omit<Reminder, 'id'>): string {
  return `I will remind ${whom(reminder)} at ${showMoment(reminder.dueAt, reminder.timeZone)}: ${reminder.text}`;
}

/** A person's reminders, numbered as `/remind cancel` counts them. */
export function listText(reminders: readonly Reminder[], zone: string): string {
  if (reminders.length === 0) return 'You have no reminders.';
  const lines = reminders.map(
    (reminder, index) =>
      `${index + 1}. ${showMoment(reminder.dueAt, zone)}, for ${whom(reminder)}: ${shorten(reminder.text)}`,
  );
  return ['Your reminders:', ...lines, '/remind cancel <n> takes one back.'].join('\n');
}

/** Says which one was cancelled: numbers change whenever a reminder is posted. */
export function cancelledText({ dueAt, timeZone, text }: Reminder): string {
  return `Cancelled: ${showMoment(dueAt, timeZone)}: ${shorten(text)}`;
}

/** The text of a reminder that is posted now. */
export function reminderText({ text, dueAt, timeZone }: Reminder, now: Date): string {
  const isLate = now.getTime() - dueAt.getTime() > LATE_MS;
  return `Reminder: ${text}${isLate ? `\n(This is late: it was due at ${showMoment(dueAt, timeZone)}.)` : ''}`;
}

/** What the person who set it is told instead. */
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
