import { stackAfterEvent, stackAfterSubmit } from './view-stack.js';

const view = (id: string, title = id, type = 'modal') => ({ id, type, title, bot_id: 'bot', blocks: [] });
const titles = (stack: readonly { title?: unknown }[]) => stack.map(({ title }) => title);

it('opens, replaces and closes modals by events of the stream', () => {
  let stack = stackAfterEvent([], { event: 'view.opened', view: view('a') });
  stack = stackAfterEvent(stack, { event: 'view.opened', view: view('b') });
  expect(titles(stack)).toEqual(['a', 'b']);
  expect(titles(stackAfterEvent(stack, { event: 'view.opened', view: view('b', 'again') }))).toEqual([
    'a',
    'again',
  ]);
  stack = stackAfterEvent(stack, { event: 'view.updated', view: view('a', 'changed') });
  expect(titles(stack)).toEqual(['changed', 'b']);
  expect(titles(stackAfterEvent(stack, { event: 'view.closed', view_id: 'b' }))).toEqual(['changed']);
});

it('ignores Home tabs, and updates of modals that are not open', () => {
  expect(stackAfterEvent([], { event: 'view.updated', view: view('a') })).toEqual([]);
  expect(stackAfterEvent([], { event: 'view.opened', view: view('h', 'h', 'home') })).toEqual([]);
});

it('follows the answer to a submission', () => {
  const stack = [view('a'), view('b')];
  expect(titles(stackAfterSubmit(stack, 'b', { result: 'closed' }))).toEqual(['a']);
  expect(stackAfterSubmit(stack, 'b', { result: 'cleared' })).toEqual([]);
  expect(stackAfterSubmit(stack, 'b', { result: 'errors', errors: {} })).toBe(stack);
  expect(titles(stackAfterSubmit(stack, 'b', { result: 'updated', view: view('b', 'new') }))).toEqual([
    'a',
    'new',
  ]);
  const pushed = { result: 'pushed' as const, view: view('c') };
  expect(titles(stackAfterSubmit(stack, 'b', pushed))).toEqual(['a', 'b', 'c']);
  expect(titles(stackAfterSubmit([...stack, view('c')], 'b', pushed))).toEqual(['a', 'b', 'c']);
});
