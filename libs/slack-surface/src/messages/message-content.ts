import type { Metadata } from '@tieline/interactive';
import { slackMarkup } from '@tieline/markup';
import { characters } from '@tieline/platform/http';
import { readMessage } from '@tieline/webhooks';
import { Arguments } from '../dispatcher/arguments.js';
import type { ArgumentKinds } from '../dispatcher/arguments.js';
import { invalidArgument, SlackError } from '../dispatcher/slack-error.js';
import { elementsIn } from '../blocks/find-element.js';
import { MAX_MESSAGE_BLOCKS, readBlocks } from '../blocks/read-blocks.js';
import { isObject } from '../blocks/rules.js';
import type { Json } from '../blocks/rules.js';
import type { MessageSource } from './message-source.js';
import { ownText, withOwnIds } from '../text/own-text.js';
import { textOfBlocks } from './text-of-blocks.js';

/** Limits of Slack. */
const MAX_TEXT = 40_000;
const MAX_ATTACHMENTS = 100;
/** The most that a message may have besides its text, in bytes of JSON. */
const MAX_PARTS = 128 * 1024;
/** The longest text that is shown. The rest is only returned. */
const MAX_SHOWN = 4000;

/** Arguments that make the content of a message. */
export const CONTENT_ARGUMENTS = {
  text: 'text',
  markdown_text: 'text',
  blocks: 'json',
  attachments: 'json',
  metadata: 'json',
  mrkdwn: 'boolean',
  parse: 'unused',
  link_names: 'unused',
  unfurl_links: 'unused',
  unfurl_media: 'unused',
} as const satisfies ArgumentKinds;

/** The content of a message in Tieline's form and in the form of the app. */
export interface MessageContent {
  readonly content: string;
  readonly metadata: Metadata | undefined;
  readonly textDerived: boolean;
  readonly sourceJson: string;
  readonly source: MessageSource;
  /** Whether it has elements that people can use. */
  readonly hasElements: boolean;
}

/**
 * Reads the content of a message from the arguments of a call.
 * @param warn receives what cannot be shown
 * @throws SlackError `no_text`, `msg_too_long`, `invalid_blocks`, `too_many_attachments` and others
 */
export function messageContent(args: Arguments, warn: (text: string) => void): MessageContent {
  const source = sourceOf(args, warn);
  const { blocks, attachments } = source;
  const parts = blocks || attachments ? shownParts({ blocks, attachments }, warn) : undefined;
  const markdown = args.text('markdown_text');
  const sent = markdown ?? ownText(source.text, { isLiteral: isLiteral(args) });
  const text = sent.trim() === '' ? (parts?.text ?? '') : sent;
  const hasElements = elementsIn(blocks ?? []).length > 0;
  if (text.trim() === '' && !parts?.metadata && !hasElements) throw new SlackError('no_text');
  const { metadata } = parts ?? {};
  return {
    content: shownText(text, warn),
    metadata: metadata && { json: JSON.stringify(metadata), value: metadata, isInteractive: false },
    // Blocks replace the text, attachments follow it.
    textDerived: parts !== undefined && (sent.trim() === '' || blocks !== undefined),
    source,
    hasElements,
    sourceJson: JSON.stringify(source),
  };
}

/**
 * Reads the content of an answer: what an app sends to a `response_url`, or answers to a command.
 * @throws SlackError as {@link messageContent}
 */
export function answerContent(body: Json): MessageContent {
  const silent = (): void => undefined;
  return messageContent(Arguments.of(CONTENT_ARGUMENTS, body, silent), silent);
}

const isLiteral = (args: Arguments): boolean => args.json('mrkdwn') === false;

function sourceOf(args: Arguments, warn: (text: string) => void): MessageSource {
  const markdown = args.text('markdown_text');
  const text = markdown === undefined ? (args.text('text') ?? '') : slackMarkup(markdown);
  if (characters(text) > MAX_TEXT) throw new SlackError('msg_too_long');
  if (text.includes('\0')) throw invalidArgument('text must not contain NUL characters');
  const sent = objects(args.json('blocks'), 'invalid_blocks_format');
  const attachments = objects(args.json('attachments'), 'invalid_attachments');
  if (attachments && attachments.length > MAX_ATTACHMENTS) throw new SlackError('too_many_attachments');
  const metadata = metadataOf(args.json('metadata'));
  if (Buffer.byteLength(JSON.stringify({ blocks: sent, attachments, metadata })) > MAX_PARTS)
    throw new SlackError('msg_blocks_too_long');
  const reading = { max: MAX_MESSAGE_BLOCKS, error: 'invalid_blocks', pointer: '/blocks', warn };
  const blocks = sent && readBlocks(sent, reading);
  return {
    text,
    ...(blocks?.length && { blocks }),
    ...(attachments?.length && { attachments }),
    ...(metadata && { metadata }),
  };
}

function objects(value: unknown, error: string): Json[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || value.some((one) => !isObject(one)))
    throw new SlackError(error, { messages: ['[ERROR] must be a list of objects'] });
  return value as Json[];
}

function metadataOf(value: unknown): MessageSource['metadata'] {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value) || typeof value['event_type'] !== 'string')
    throw new SlackError('invalid_metadata_format');
  const payload = value['event_payload'] ?? {};
  if (!isObject(payload)) throw new SlackError('invalid_metadata_format');
  return { event_type: value['event_type'], event_payload: payload };
}

/** Blocks and attachments as they are shown here. */
interface ShownParts {
  /** Derived from them. */
  readonly text: string;
  readonly metadata: Record<string, unknown> | undefined;
}

/**
 * Reads the parts as incoming webhooks do, for search, notifications and bots, and warns about what
 * is left out of attachments. People see the blocks themselves.
 */
function shownParts(
  { blocks, attachments }: Pick<MessageSource, 'blocks' | 'attachments'>,
  warn: (text: string) => void,
): ShownParts {
  const body = JSON.parse(withOwnIds(JSON.stringify({ blocks, attachments }))) as object;
  const read = readMessage(body);
  const { text, metadata, notes } = read.ok ? read.message : { text: '', metadata: undefined, notes: [] };
  for (const note of notes) if (!note.startsWith('blocks')) warn(note);
  return {
    text: text.trim() === '' ? textOfBlocks(blocks ?? []) : text,
    metadata: metadata as Record<string, unknown> | undefined,
  };
}

/** Cuts a text that is too long to be shown. */
function shownText(text: string, warn: (text: string) => void): string {
  const length = characters(text);
  if (length <= MAX_SHOWN) return text;
  warn(`text: ${MAX_SHOWN} of ${length} characters are shown`);
  return `${[...text].slice(0, MAX_SHOWN - 1).join('')}…`;
}
