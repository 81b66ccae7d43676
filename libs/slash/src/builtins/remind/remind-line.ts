import { characters } from '@tieline/platform/http';
import { MAX_YEARS, readMoment } from './reminder-moment.js';

/** Whom a reminder is for. */
export type ReminderTarget = { kind: 'me' } | { kind: 'here' } | { kind: 'person'; userId: string };

/** What a `/remind` asks for. */
export type RemindLine =
  | { kind: 'set'; target: ReminderTarget; at: Date; text: string }
  | { kind: 'list' }
  | { kind: 'cancel'; place: number }
  | { kind: 'usage'; text: string };

export const MAX_TEXT = 3000;

export const REMIND_HINT = 'me|@user|here <in 10m|in 2h|in 3d|tomorrow 09:00|at 2026-12-01 09:00> <text>';

const USAGE = [
  `Usage: /remind ${REMIND_HINT}`,
  'Also: /remind list shows your reminders that are still to come, /remind cancel <n> takes the one with that number back.',
].join('\n');

const TARGET =
  /^(?:(me)|(here)|<@([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})>)(?=\s|$)\s*/iu;
const CANCEL = /^cancel\s+(\d{1,6})$/iu;

const PROBLEMS = {
  unreadable: 'I do not understand when.',
  past: 'That moment has passed.',
  far: `That is more than ${MAX_YEARS} years away.`,
};

/** Why a reminder was not set, and how it is done. */
export function remindUsage(why: string): RemindLine & { kind: 'usage' } {
  return { kind: 'usage', text: `${why}\n${USAGE}` };
}

/**
 * Reads what follows `/remind` (decisions, section 5). Words of the command are understood in any
 * case of letters.
 * @param zone IANA name of the person's time zone
 */
export function readRemindLine(given: string, zone: string, now: Date): RemindLine {
  const line = given.trim();
  if (/^list$/iu.test(line)) return { kind: 'list' };
  const cancelled = CANCEL.exec(line);
  if (cancelled) return { kind: 'cancel', place: Number(cancelled[1]) };
  const target = TARGET.exec(line);
  if (!target)
    return remindUsage(
      line === '' ? 'Whom shall I remind, and when?' : 'I do not understand whom to remind.',
    );
  const moment = readMoment(line.slice(target[0].length), zone, now);
  if ('problem' in moment) return remindUsage(PROBLEMS[moment.problem]);
  const text = moment.rest.trim();
  if (text === '') return remindUsage('What shall I remind of?');
  if (characters(text) > MAX_TEXT) return remindUsage(`The text is too long (up to ${MAX_TEXT} characters).`);
  return { kind: 'set', target: targetOf(target), at: moment.at, text };
}

function targetOf([, me, here, userId]: RegExpExecArray): ReminderTarget {
  if (me !== undefined) return { kind: 'me' };
  return here !== undefined || userId === undefined
    ? { kind: 'here' }
    : { kind: 'person', userId: userId.toLowerCase() };
}
