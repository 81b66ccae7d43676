import type { Metadata } from '@tieline/interactive';
import { slackMarkup } from '@tieline/markup';
import { characters } from '@tieline/platform/http';
import { readMessage } from '@tieline/webhooks';
import type { ArgumentKinds, Arguments } from '../dispatcher/arguments.js';
import { invalidArgument, SlackError } from '../dispatcher/slack-error.js';
import type { MessageSource } from './message-source.js';
import { ownText, withOwnIds } from '../text/own-text.js';

/** Limits of Slack. */
const MAX_TEXT = 40_000;
const MAX_BLOCKS = 50;
const MAX_ATTACHMENTS = 100;
/** The most that a message may have besides its text, in bytes of JSON. */
const MAX_PARTS = 128 * 1024;
/** The longest text that is shown. The rest is only returned. */
const MAX_SHOWN = 4000;
const INTERACTIVE = new Set(['actions', 'input', 'context_actions']);

type Json = Readonly<Record<string, unknown>>;

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

/** The content of a message: as it is stored here, and as it was sent. */
export interface MessageContent {
  readonly content: string;
  readonly metadata: Metadata | undefined;
  readonly textDerived: boolean;
  readonly sourceJson: string;
  readonly source: MessageSource;
}

/**
 * Reads the content of a message from the arguments of a call.
 * @param warn receives what cannot be shown
 * @throws SlackError `no_text`, `msg_too_long`, `invalid_blocks`, `too_many_attachments` and others
 */
export function messageContent(args: Arguments, warn: (text: string) => void): MessageContent {
  const source = sourceOf(args);
  const { blocks, attachments } = source;
  const parts = blocks || attachments ? shownParts({ blocks, attachments }, warn) : undefined;
  const markdown = args.text('markdown_text');
  const sent = markdown ?? ownText(source.text, { isLiteral: isLiteral(args) });
  const text = sent.trim() === '' ? (parts?.text ?? '') : sent;
  if (text.trim() === '' && !parts?.metadata) throw new SlackError('no_text');
  const { metadata } = parts ?? {};
  return {
    content: shownText(text, warn),
    metadata: metadata && { json: JSON.stringify(metadata), value: metadata, isInteractive: false },
    // Blocks replace the text, attachments follow it.
    textDerived: parts !== undefined && (sent.trim() === '' || parts.hasBlocks),
    source,
    sourceJson: JSON.stringify(source),
  };
}

const isLiteral = (args: Arguments): boolean => args.json('mrkdwn') === false;

function sourceOf(args: Arguments): MessageSource {
  const markdown = args.text('markdown_text');
  const text = markdown === undefined ? (args.text('text') ?? '') : slackMarkup(markdown);
  if (characters(text) > MAX_TEXT) throw new SlackError('msg_too_long');
  if (text.includes('\0')) throw invalidArgument('text must not contain NUL characters');
  const blocks = objects(args.json('blocks'), 'invalid_blocks_format');
  const attachments = objects(args.json('attachments'), 'invalid_attachments');
  if (blocks && blocks.length > MAX_BLOCKS)
    throw new SlackError('invalid_blocks', {
      messages: [`[ERROR] no more than ${MAX_BLOCKS} items allowed`],
    });
  if (blocks?.some(({ type }) => typeof type !== 'string'))
    throw new SlackError('invalid_blocks', { messages: ['[ERROR] every block must have a type'] });
  if (attachments && attachments.length > MAX_ATTACHMENTS) throw new SlackError('too_many_attachments');
  const metadata = metadataOf(args.json('metadata'));
  const source = {
    text,
    ...(blocks?.length && { blocks }),
    ...(attachments?.length && { attachments }),
    ...(metadata && { metadata }),
  };
  if (Buffer.byteLength(JSON.stringify({ blocks, attachments, metadata })) > MAX_PARTS)
    throw new SlackError('msg_blocks_too_long');
  return source;
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

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Blocks and attachments as they are shown here. */
interface ShownParts {
  /** Derived from them. */
  readonly text: string;
  readonly metadata: Record<string, unknown> | undefined;
  readonly hasBlocks: boolean;
}

/** Reads the parts as incoming webhooks do, and warns about what is left out. */
function shownParts(
  { blocks, attachments }: Pick<MessageSource, 'blocks' | 'attachments'>,
  warn: (text: string) => void,
): ShownParts {
  blocks?.forEach(({ type }, at) => {
    if (INTERACTIVE.has(String(type))) warn(`blocks[${at}]: elements of ${String(type)} are not shown`);
  });
  const body = JSON.parse(withOwnIds(JSON.stringify({ blocks, attachments }))) as object;
  const read = readMessage(body);
  if (!read.ok) return { text: '', metadata: undefined, hasBlocks: false };
  const { text, metadata, notes } = read.message;
  for (const note of notes) warn(note);
  return {
    text,
    metadata: metadata as Record<string, unknown> | undefined,
    hasBlocks: (metadata as { blocks?: unknown } | undefined)?.blocks !== undefined,
  };
}

/** Cuts a text that is too long to be shown. */
function shownText(text: string, warn: (text: string) => void): string {
  const length = characters(text);
  if (length <= MAX_SHOWN) return text;
  warn(`text: ${MAX_SHOWN} of ${length} characters are shown`);
  return `${[...text].slice(0, MAX_SHOWN - 1).join('')}…`;
}
