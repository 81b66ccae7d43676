import { convertMarkup, literalMarkdown, slackMarkup } from '@tieline/markup';
import { slackId, uuidOf } from '../ids/slack-ids.js';

const SLACK_MENTION = /<@([UW][A-Z2-7]{26})(?:\|[^>\n]*)?>/g;
const SLACK_USER = /\b([UW][A-H][A-Z2-7]{25})\b/g;
const OWN_MENTION = /<@([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>/gi;
const CODE = /(```[\s\S]*?```|`[^`\n]*`)/;

/** Replaces the ids of people and bots in a text or JSON by uuids. */
export const withOwnIds = (text: string): string =>
  text.replaceAll(SLACK_USER, (id) => uuidOf(id, 'user') ?? id);

/** Converts Slack's markup to Markdown. @param isLiteral `mrkdwn: false` */
export function ownText(text: string, { isLiteral = false } = {}): string {
  if (isLiteral) return literalMarkdown(text);
  const mentions = text.replaceAll(SLACK_MENTION, (whole, id: string) => {
    const uuid = uuidOf(`U${id.slice(1)}`, 'user');
    return uuid === undefined ? whole : `<@${uuid}>`;
  });
  return convertMarkup(mentions);
}

/** Converts Markdown to Slack's markup: the entities, mentions, bold text, links and headings. */
export function slackText(markdown: string): string {
  return slackMarkup(withEntities(markdown));
}

/** Encodes `&`, `<` and `>`, except for mentions, which get ids in Slack's spelling. */
function withEntities(text: string): string {
  return text
    .split(CODE)
    .map((part, at) => (at % 2 === 1 ? encoded(part) : mentionsIn(part)))
    .join('');
}

function mentionsIn(text: string): string {
  let result = '';
  let from = 0;
  for (const match of text.matchAll(OWN_MENTION)) {
    result += `${encoded(text.slice(from, match.index))}<@${slackId('user', (match[1] as string).toLowerCase())}>`;
    from = match.index + match[0].length;
  }
  return result + encoded(text.slice(from));
}

function encoded(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
