import { characters } from '@tieline/platform/http';
import { MAX_YEARS, readMoment } from './reminder-moment.js';

/** The recipient of a reminder. */
export type ReminderTarget = { kind: 'me' } | { kind: 'here' } | { kind: 'person'; userId: string };

/** A parsed `/remind` line. */
export type RemindLine =
  | { kind: 'set'; target: ReminderTarget; at: Date; text: string }
  | { kind: 'list' }
  | { kind: 'cancel'; place: number }
  | { kind: 'usage'; text: string };

const MAX_TEXT = 3000;

export const REMIND_HINT = 'me|@user|here <in 10m|in 2h|in 3d|tomorrow 09:00|at 2026-12-01 09:00> <text>';

const USAGE = [
  `Usage: /remind ${REMIND_HINT}`,
  'Use /remind list to see your pending reminders and /remind cancel <n> to cancel one.',
].join('\n');

const TARGET =
  /^(?:(me)|(here)|<@([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})>)(?=\s|$)\s*/iu;
const CANCEL = /^cancel\s+(\d{1,6})$/iu;

const PROBLEMS = {
  unreadable: "I don't understand the time.",
  past: 'That time is in the past.',
  far: `That is more than ${MAX_YEARS} years away.`,
};

/** Returns a usage text that starts with the reason. */
export function remindUsage(why: string): RemindLine & { kind: 'usage' } {
  return { kind: 'usage', text: `${why}\n${USAGE}` };
}

/**
 * Parses the text after `/remind`. Keywords are case-insensitive.
 * @param zone IANA name of the person's time zone
 */
export function readRemindLine(given: string, zone: string, now: Date): RemindLine {
  const line = given.trim();
  if (/^list$/iu.test(line)) return { kind: 'list' };
  const cancelled = CANCEL.exec(line);
  if (cancelled) return { kind: 'cancel', place: Number(cancelled[1]) };
  const target = TARGET.exec(line);
  if (!target)
    return remindUsage(line === '' ? 'Who should I remind, and when?' : "I don't understand who to remind.");
  const moment = readMoment(line.slice(target[0].length), zone, now);
  if ('problem' in moment) return remindUsage(PROBLEMS[moment.problem]);
  const text = moment.rest.trim();
  if (text === '') return remindUsage('What should I remind you about?');
  if (characters(text) > MAX_TEXT)
    return remindUsage(`The text is too long (maximum ${MAX_TEXT} characters).`);
  return { kind: 'set', target: targetOf(target), at: moment.at, text };
}

function targetOf([, me, here, userId]: RegExpExecArray): ReminderTarget {
  if (me !== undefined) return { kind: 'me' };
  return here !== undefined || userId === undefined
    ? { kind: 'here' }
    : { kind: 'person', userId: userId.toLowerCase() };
}
