import { characters } from '@tieline/platform/http';
import type { Arguments } from '../dispatcher/arguments.js';
import { invalidArgument, SlackError } from '../dispatcher/slack-error.js';

type Json = Readonly<Record<string, unknown>>;

const TASK_STATUSES = ['pending', 'in_progress', 'complete', 'error'] as const;

/** A step that a stream shows. */
export interface StreamTask {
  readonly id: string;
  readonly title: string;
  readonly status: (typeof TASK_STATUSES)[number];
  readonly details?: string;
  readonly output?: string;
  readonly sources?: readonly Json[];
}

/** A piece that a call adds to a stream. */
export type StreamChunk =
  | { readonly type: 'markdown_text'; readonly text: string }
  | { readonly type: 'task_update'; readonly task: StreamTask }
  | { readonly type: 'plan_update'; readonly title: string }
  | { readonly type: 'blocks'; readonly blocks: readonly Json[] };

/** Arguments that add to a stream. */
export const CHUNK_ARGUMENTS = { markdown_text: 'text', chunks: 'json' } as const;

/** Limits of Slack. */
const MAX_TEXT = 12_000;
const MAX_TITLE = 256;
const MAX_ID = 255;
const MAX_SOURCES = 50;
const MAX_CHUNKS = 100;

/**
 * Reads what a call adds to a stream.
 * @throws SlackError `msg_too_long`, `invalid_blocks`, `invalid_arguments`
 */
export function chunksIn(args: Arguments): StreamChunk[] {
  const text = args.text('markdown_text');
  const chunks = args.json('chunks') ?? [];
  if (!Array.isArray(chunks) || chunks.length > MAX_CHUNKS)
    throw invalidArgument(`chunks must be a list of at most ${MAX_CHUNKS} objects`);
  return [
    ...(text === undefined ? [] : [{ type: 'markdown_text', text: textOf(text, 'markdown_text') } as const]),
    ...chunks.map((chunk: unknown, at) => chunkOf(chunk, `chunks[${at}]`)),
  ];
}

function chunkOf(chunk: unknown, at: string): StreamChunk {
  if (!isObject(chunk)) throw invalidArgument(`${at} must be an object`);
  switch (chunk['type']) {
    case 'markdown_text':
      return { type: 'markdown_text', text: textOf(chunk['text'], `${at}.text`) };
    case 'task_update':
      return { type: 'task_update', task: taskOf(chunk, at) };
    case 'plan_update':
      return { type: 'plan_update', title: textOf(chunk['title'], `${at}.title`, MAX_TITLE) };
    case 'blocks':
      return { type: 'blocks', blocks: blocksOf(chunk['blocks']) };
    default:
      throw invalidArgument(`${at}.type must be markdown_text, task_update, plan_update or blocks`);
  }
}

function taskOf({ id, title, status, details, output, sources }: Json, at: string): StreamTask {
  const known = TASK_STATUSES.find((one) => one === status);
  if (known === undefined) throw invalidArgument(`${at}.status must be ${TASK_STATUSES.join(', ')}`);
  if (id === '' || title === '') throw invalidArgument(`${at} must have an id and a title`);
  return {
    id: textOf(id, `${at}.id`, MAX_ID),
    title: textOf(title, `${at}.title`, MAX_TITLE),
    status: known,
    ...(isPresent(details) && { details: textOf(details, `${at}.details`) }),
    ...(isPresent(output) && { output: textOf(output, `${at}.output`) }),
    ...(isPresent(sources) && { sources: sourcesOf(sources, `${at}.sources`) }),
  };
}

function sourcesOf(sources: unknown, at: string): Json[] {
  if (!Array.isArray(sources) || sources.length > MAX_SOURCES || !sources.every(isObject))
    throw invalidArgument(`${at} must be a list of at most ${MAX_SOURCES} objects`);
  return sources;
}

function blocksOf(blocks: unknown): Json[] {
  if (!Array.isArray(blocks) || !blocks.every((one) => isObject(one) && typeof one['type'] === 'string'))
    throw new SlackError('invalid_blocks', { messages: ['[ERROR] every block must have a type'] });
  return blocks as Json[];
}

function textOf(text: unknown, at: string, limit = MAX_TEXT): string {
  if (typeof text !== 'string' || text.includes('\0')) throw invalidArgument(`${at} must be a string`);
  if (characters(text) <= limit) return text;
  throw limit === MAX_TEXT
    ? new SlackError('msg_too_long')
    : invalidArgument(`${at} must have at most ${limit} characters`);
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
