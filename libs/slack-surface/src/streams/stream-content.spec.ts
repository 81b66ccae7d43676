import { added, emptyStream, isPlain, markdownOf, slackBlocks, textChunk } from './stream-content.js';
import type { StreamChunk, StreamTask } from './stream-chunks.js';

const task = (id: string, fields: Partial<StreamTask> = {}): StreamChunk => ({
  type: 'task_update',
  task: { id, title: `Task ${id}`, status: 'pending', ...fields },
});
const block = { type: 'divider' };

test('adjacent texts are one text', () => {
  const content = added(emptyStream(), [textChunk('Hello '), textChunk(''), textChunk('world')]);
  expect(isPlain(content)).toBe(true);
  expect(markdownOf(content)).toBe('Hello world');
  expect(slackBlocks(content)).toEqual([{ type: 'markdown', text: 'Hello world' }]);
});

test('a timeline shows each task where it began, and a plan shows them together', () => {
  const chunks = [task('1'), textChunk('between'), task('2'), task('1', { status: 'complete' })];
  expect(markdownOf(added(emptyStream('timeline'), chunks))).toBe('- ✅ Task 1\n\nbetween\n\n- ⬜ Task 2');
  const plan = added(emptyStream('plan'), [...chunks, { type: 'plan_update', title: 'Plan' }]);
  expect(markdownOf(plan)).toBe('**Plan**\n\n- ✅ Task 1\n- ⬜ Task 2\n\nbetween');
  expect(slackBlocks(plan)).toEqual([
    {
      type: 'plan',
      title: 'Plan',
      tasks: [
        { type: 'task_card', task_id: '1', title: 'Task 1', status: 'complete' },
        { type: 'task_card', task_id: '2', title: 'Task 2', status: 'pending' },
      ],
    },
    { type: 'markdown', text: 'between' },
  ]);
});

test('an update of a task keeps the fields that it does not name', () => {
  const content = added(emptyStream(), [
    task('1', { details: 'reads\nfiles', sources: [{ type: 'url', url: 'https://a.test/x', text: 'A' }] }),
    task('1', { status: 'error', output: 'not found' }),
  ]);
  expect(markdownOf(content)).toBe('- ❌ Task 1\n  reads\n  files\n  not found\n  [A](https://a.test/x)');
  expect(slackBlocks(content)).toMatchObject([{ status: 'error', sources: [{ text: 'A' }] }]);
});

test('titles are literal text', () => {
  expect(markdownOf(added(emptyStream(), [task('1', { title: '*a*\n[b](c)' })]))).toBe(
    '- ⬜ \\*a\\* \\[b\\](c)',
  );
});

test('blocks stay between texts', () => {
  const content = added(emptyStream(), [textChunk('a'), { type: 'blocks', blocks: [block] }, textChunk('b')]);
  expect(isPlain(content)).toBe(false);
  expect(slackBlocks(content)).toEqual([
    { type: 'markdown', text: 'a' },
    block,
    { type: 'markdown', text: 'b' },
  ]);
  expect(markdownOf(content)).toBe('a\n\nb');
});

test.each([
  ['invalid_arguments', Array.from({ length: 51 }, (_, id) => task(String(id)))],
  ['invalid_blocks', [{ type: 'blocks', blocks: Array.from({ length: 51 }, () => block) } as const]],
  ['msg_blocks_too_long', [textChunk('a'.repeat(128 * 1024))]],
])('too much content gets %s', (error, chunks: StreamChunk[]) => {
  expect(() => added(emptyStream(), chunks)).toThrow(expect.objectContaining({ error }));
});
