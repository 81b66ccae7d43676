import { Injectable } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import { findActiveUsers, notificationSettingsOf } from '@tieline/spaces';
import type { BuiltinAnswer, BuiltinCommand, BuiltinInvocation } from '../builtin-commands.js';
import { cancelReminder } from './cancel-reminder.js';
import { REMIND_HINT, readRemindLine, remindUsage } from './remind-line.js';
import type { ReminderTarget, RemindLine } from './remind-line.js';
import { cancelledText, confirmation, listText } from './reminder.view.js';
import { remindersOf } from './reminders.queries.js';
import { MAX_PENDING, setReminder } from './set-reminder.js';

/** Implements `/remind`. */
@Injectable()
export class RemindCommand implements BuiltinCommand {
  readonly name = 'remind';
  readonly description = 'Sets a reminder for you, another person or this conversation';
  readonly usageHint = `${REMIND_HINT} · list · cancel <n>`;

  constructor(private readonly db: Db) {}

  /** Sets, lists or cancels reminders. Only the person sees the result. */
  async run(invocation: BuiltinInvocation): Promise<BuiltinAnswer> {
    const zone = await timeZoneOf(this.db, invocation);
    const line = readRemindLine(invocation.text, zone, new Date());
    return { result: 'ephemeral', text: await answerTo(this.db, invocation, zone, line) };
  }
}

async function timeZoneOf(db: Db, { spaceId, userId }: BuiltinInvocation): Promise<string> {
  const settings = await notificationSettingsOf(db, spaceId, [userId]);
  return settings.get(userId)?.quietHours?.timeZone ?? 'UTC';
}

async function answerTo(
  db: Db,
  invocation: BuiltinInvocation,
  zone: string,
  line: RemindLine,
): Promise<string> {
  const { spaceId, userId } = invocation;
  if (line.kind === 'usage') return line.text;
  if (line.kind === 'list') return listText(await remindersOf(db, spaceId, userId), zone);
  if (line.kind === 'set') return createReminder(db, invocation, zone, line);
  const cancelled = await cancelReminder(db, spaceId, userId, line.place);
  return cancelled
    ? cancelledText(cancelled)
    : remindUsage(`You have no reminder number ${line.place}.`).text;
}

async function createReminder(
  db: Db,
  { spaceId, userId, conversationId, threadId }: BuiltinInvocation,
  timeZone: string,
  line: RemindLine & { kind: 'set' },
): Promise<string> {
  const recipientId = recipientOf(line.target, userId);
  if (recipientId !== null && (await findActiveUsers(db, spaceId, [recipientId])).length === 0)
    return remindUsage('There is no such person in this space.').text;
  const reminder = {
    spaceId,
    userId,
    recipientId,
    conversationId,
    threadId: threadId ?? null,
    text: line.text,
    dueAt: line.at,
    timeZone,
  };
  if (await setReminder(db, reminder)) return confirmation(reminder);
  return `You already have ${MAX_PENDING} pending reminders, which is the maximum.`;
}

function recipientOf(target: ReminderTarget, userId: string): string | null {
  if (target.kind === 'here') return null;
  return target.kind === 'me' ? userId : target.userId;
}
