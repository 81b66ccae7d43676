import { invalidArgument, SlackError } from '../dispatcher/slack-error.js';
import type { StreamChunk, StreamTask } from './stream-chunks.js';

type Json = Readonly<Record<string, unknown>>;

/** A piece of a stream, in the order in which people see the pieces. */
type Segment =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tasks'; readonly tasks: readonly StreamTask[] }
  | { readonly type: 'blocks'; readonly blocks: readonly Json[] };

/** The content of a stream so far. */
export interface StreamContent {
  /** `plan` shows all tasks together, `timeline` each where it began. */
  readonly mode: 'plan' | 'timeline';
  /** Title of the plan. */
  readonly title?: string;
  readonly segments: readonly Segment[];
}

const MAX_TASKS = 50;
const MAX_BLOCKS = 50;
/** The most that the content may have, in bytes of JSON. */
const MAX_BYTES = 128 * 1024;

const MARKS = { pending: '⬜', in_progress: '⏳', complete: '✅', error: '❌' } as const;

/** A stream without content. */
export const emptyStream = (mode: StreamContent['mode'] = 'timeline'): StreamContent => ({
  mode,
  segments: [],
});

/** A chunk with a text. */
export const textChunk = (text: string): StreamChunk => ({ type: 'markdown_text', text });

/**
 * Returns the content with chunks added. A task with a known id replaces that task.
 * @throws SlackError for content that is too large
 */
export function added(content: StreamContent, chunks: readonly StreamChunk[]): StreamContent {
  const next = chunks.reduce(withChunk, content);
  if (tasksIn(next).length > MAX_TASKS) throw invalidArgument(`a stream has at most ${MAX_TASKS} tasks`);
  if (blocksIn(next).length > MAX_BLOCKS)
    throw new SlackError('invalid_blocks', {
      messages: [`[ERROR] no more than ${MAX_BLOCKS} items allowed`],
    });
  if (Buffer.byteLength(JSON.stringify(next)) > MAX_BYTES) throw new SlackError('msg_blocks_too_long');
  return next;
}

function withChunk(content: StreamContent, chunk: StreamChunk): StreamContent {
  const { segments } = content;
  const last = segments.at(-1);
  switch (chunk.type) {
    case 'plan_update':
      return { ...content, title: chunk.title };
    case 'task_update':
      return withTask(content, chunk.task);
    case 'blocks':
      return { ...content, segments: [...segments, chunk] };
    case 'markdown_text':
      if (chunk.text === '') return content;
      return last?.type === 'text'
        ? { ...content, segments: [...segments.slice(0, -1), { type: 'text', text: last.text + chunk.text }] }
        : { ...content, segments: [...segments, { type: 'text', text: chunk.text }] };
  }
}

function withTask(content: StreamContent, task: StreamTask): StreamContent {
  const { segments, mode } = content;
  const isKnown = tasksIn(content).some(({ id }) => id === task.id);
  const home = isKnown
    ? segments.findIndex((one) => one.type === 'tasks' && one.tasks.some(({ id }) => id === task.id))
    : mode === 'plan'
      ? segments.findIndex(({ type }) => type === 'tasks')
      : segments.at(-1)?.type === 'tasks'
        ? segments.length - 1
        : -1;
  if (home < 0) return { ...content, segments: [...segments, { type: 'tasks', tasks: [task] }] };
  return {
    ...content,
    segments: segments.map((one, at) => {
      if (at !== home || one.type !== 'tasks') return one;
      if (!isKnown) return { ...one, tasks: [...one.tasks, task] };
      return { ...one, tasks: one.tasks.map((old) => (old.id === task.id ? { ...old, ...task } : old)) };
    }),
  };
}

const tasksIn = ({ segments }: StreamContent): StreamTask[] =>
  segments.flatMap((one) => (one.type === 'tasks' ? one.tasks : []));

/** Whether the content is nothing but text. */
export const isPlain = ({ title, segments }: StreamContent): boolean =>
  title === undefined && segments.every(({ type }) => type === 'text');

/** Returns texts and tasks as Markdown. */
export function markdownOf({ title, segments }: StreamContent): string {
  const texts = segments.flatMap((one) =>
    one.type === 'blocks' ? [] : [one.type === 'text' ? one.text : one.tasks.map(taskLine).join('\n')],
  );
  const text = [...(title === undefined ? [] : [`**${escaped(title)}**`]), ...texts].join('\n\n');
  return text.trim() === '' ? '' : text;
}

/** Returns the blocks that the app sent. */
export const blocksIn = ({ segments }: StreamContent): Json[] =>
  segments.flatMap((one) => (one.type === 'blocks' ? one.blocks : []));

/** Returns the content as blocks in Slack's form. */
export function slackBlocks(content: StreamContent): Json[] {
  const { mode, title, segments } = content;
  const blocks = segments.flatMap((one): readonly Json[] => {
    if (one.type === 'text') return one.text.trim() === '' ? [] : [{ type: 'markdown', text: one.text }];
    if (one.type === 'blocks') return one.blocks;
    const cards = one.tasks.map(taskCard);
    return mode === 'plan' ? [{ type: 'plan', title: title ?? '', tasks: cards }] : cards;
  });
  const isShown = mode === 'plan' && segments.some(({ type }) => type === 'tasks');
  return title === undefined || isShown ? blocks : [{ type: 'plan', title, tasks: [] }, ...blocks];
}

function taskLine({ title, status, details, output, sources = [] }: StreamTask): string {
  const links = sources.flatMap(({ url, text }) =>
    typeof url === 'string' && /^https?:\/\/[^\s()<>]+$/.test(url)
      ? [`[${escaped(typeof text === 'string' && text !== '' ? text : url)}](${url})`]
      : [],
  );
  const lines = [details, output, links.join(' · ')].flatMap((text) =>
    text === undefined || text.trim() === '' ? [] : [text.trim().replaceAll(/\s*\n\s*/g, '\n  ')],
  );
  return [`- ${MARKS[status]} ${escaped(title)}`, ...lines.map((line) => `  ${line}`)].join('\n');
}

/** Titles are literal text on one line. */
const escaped = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>~|]/g, (mark) => `\\${mark}`);

function taskCard({ id, title, status, details, output, sources }: StreamTask): Json {
  return {
    type: 'task_card',
    task_id: id,
    title,
    status,
    ...(details !== undefined && { details: richText(details) }),
    ...(output !== undefined && { output: richText(output) }),
    ...(sources !== undefined && { sources }),
  };
}

const richText = (text: string): Json => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
});
