import { convertMarkup, literalMarkdown } from '@tieline/markup';
import { uuidOf } from '../ids/slack-ids.js';

const MENTION = /<@([UW][A-Z2-7]{26})(?:\|[^>\n]*)?>/g;
const USER = /\b([UW][A-H][A-Z2-7]{25})\b/g;

/** Replaces the ids of people and bots in a text or JSON by uuids. */
export const withOwnIds = (text: string): string => text.replaceAll(USER, (id) => uuidOf(id, 'user') ?? id);

/** Converts Slack's markup to Markdown. @param isLiteral `mrkdwn: false` */
export function ownText(text: string, { isLiteral = false } = {}): string {
  if (isLiteral) return literalMarkdown(text);
  const mentions = text.replaceAll(MENTION, (whole, id: string) => {
    const uuid = uuidOf(`U${id.slice(1)}`, 'user');
    return uuid === undefined ? whole : `<@${uuid}>`;
  });
  return convertMarkup(mentions);
}
