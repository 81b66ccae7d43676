import { SlackError } from '../dispatcher/slack-error.js';

/** Returns a cursor to continue at a message with this index. */
export const cursorOf = (msgIndex: number): string => encoded(`index:${msgIndex}`);

/** Returns the index in a cursor. @throws SlackError `invalid_cursor` */
export function positionIn(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const [, index] = /^index:(\d{1,15})$/.exec(decoded(cursor)) ?? [];
  if (index === undefined) throw new SlackError('invalid_cursor');
  return Number(index);
}

/** Returns a cursor of the REST API as one of Slack's; empty on the last page. */
export const slackCursor = (cursor: string): string => (cursor === '' ? '' : encoded(`next:${cursor}`));

/** Returns a cursor of the REST API. @throws SlackError `invalid_cursor` */
export function restCursor(cursor: string | undefined): string {
  if (cursor === undefined) return '';
  const [, next] = /^next:([0-9a-zA-Z.:-]{1,200})$/.exec(decoded(cursor)) ?? [];
  if (next === undefined) throw new SlackError('invalid_cursor');
  return next;
}

const encoded = (text: string): string => Buffer.from(text).toString('base64');
const decoded = (cursor: string): string => Buffer.from(cursor, 'base64').toString('latin1');
