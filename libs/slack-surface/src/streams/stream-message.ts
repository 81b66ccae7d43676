import { Arguments } from '../dispatcher/arguments.js';
import { CONTENT_ARGUMENTS, messageContent } from '../messages/message-content.js';
import type { MessageContent } from '../messages/message-content.js';
import { blocksIn, isPlain, markdownOf, slackBlocks } from './stream-content.js';
import { readBlocks } from '../blocks/read-blocks.js';
import type { StreamContent } from './stream-content.js';

/** Parts of a stream are blocks, too. The number of blocks that the app sent is checked before. */
const READING = { max: 1000, error: 'invalid_blocks', pointer: '/blocks' };
/** Shown until a stream has content. */
export const NO_TEXT = '…';

/** What the end of a stream adds. */
export interface StreamEnd {
  /** Blocks below the content. */
  readonly blocks: readonly unknown[];
  readonly metadata: unknown;
}

/**
 * Returns the content of a streamed message. People see its texts and tasks above its blocks.
 * @param end of a stream that ends; otherwise more can be added
 * @throws SlackError for content that a message cannot have
 */
export function streamMessage(
  content: StreamContent,
  warn: (text: string) => void,
  end?: StreamEnd,
): MessageContent {
  const { blocks: last = [], metadata } = end ?? {};
  const markdown = markdownOf(content);
  const sent = [...blocksIn(content), ...last];
  const given = {
    metadata,
    ...(sent.length > 0 ? { blocks: sent, markdown_text: markdown } : { markdown_text: markdown || NO_TEXT }),
  };
  const shown = messageContent(Arguments.of(CONTENT_ARGUMENTS, given, warn), warn);
  const all = [...slackBlocks(content), ...(last as Readonly<Record<string, unknown>>[])];
  const blocks = readBlocks(all, { ...READING, warn: () => undefined });
  const source = {
    ...shown.source,
    ...((!isPlain(content) || last.length > 0) && { blocks }),
    ...(end === undefined && { stream: content }),
  };
  return {
    ...shown,
    textDerived: markdown === '' && shown.textDerived,
    source,
    sourceJson: JSON.stringify(source),
  };
}
