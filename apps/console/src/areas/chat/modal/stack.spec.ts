import { stackAfter, stackOnFailure, stackOnMessage, stackOnQueued, stackOnSubmit } from './stack.js';
import { firstValues, readForm, sentValues } from './form.js';

const modal = { title: 'One', fields: [] };

it('opens, corrects, replaces and stacks forms as the bot answers', () => {
  let open = stackAfter([], { result: 'open_modal', modal, modal_token: 'a' }, 'c');
  open = stackAfter(open, { result: 'errors', errors: { x: 'no' }, modal_token: 'a' }, 'c');
  expect(open).toMatchObject([{ token: 'a', errors: { x: 'no' }, submission: 'none' }]);
  open = stackAfter(open, { result: 'update_modal', modal: { title: 'Two' }, modal_token: 'a' }, 'c');
  expect(open).toMatchObject([{ token: 'a', errors: {}, modal: { title: 'Two' } }]);
  open = stackAfter(open, { result: 'push_modal', modal, modal_token: 'b' }, 'c');
  expect(open.map(({ token }) => token)).toEqual(['a', 'b']);
  expect(stackAfter(open, { result: 'ephemeral' }, 'c')).toBe(open);
});

describe('a form for a bot that polls', () => {
  const opened = stackAfter([], { result: 'open_modal', modal, modal_token: 'a' }, 'c');
  const sent = stackOnSubmit(opened, 'a');
  const wrong = { result: 'errors', errors: { x: 'no' }, modal_token: 'a' };

  it('waits for an answer that keeps the form open or is a message', () => {
    const queued = stackOnQueued(sent, 'a');
    expect(queued).toMatchObject([{ submission: 'queued', errors: {} }]);
    expect(stackAfter(queued, wrong, 'c')).toMatchObject([{ submission: 'none', errors: { x: 'no' } }]);
    expect(stackOnMessage(queued)).toEqual([]);
  });

  it('applies an answer that arrives before the response to the submission', () => {
    const corrected = stackOnQueued(stackAfter(sent, wrong, 'c'), 'a');
    expect(corrected).toMatchObject([{ submission: 'none', errors: { x: 'no' } }]);
    const update = { result: 'update_modal', modal: { title: 'Two' }, modal_token: 'a' };
    expect(stackOnQueued(stackAfter(sent, update, 'c'), 'a')).toMatchObject([
      { submission: 'none', modal: { title: 'Two' } },
    ]);
    expect(stackOnMessage(sent)).toHaveLength(1);
    expect(stackOnQueued(stackOnMessage(sent), 'a')).toEqual([]);
  });

  it('can be submitted again after a failure, whatever events arrived in between', () => {
    expect(stackOnFailure(stackOnMessage(sent), 'a')).toMatchObject([{ submission: 'none' }]);
    expect(stackOnMessage(opened)).toBe(opened);
  });
});

it('sends numbers as numbers and omits empty values', () => {
  const form = readForm({
    title: 'x',
    fields: [
      { id: 'n', type: 'number', initial: 3 },
      { id: 't', type: 'text' },
      { id: 'many', type: 'checkboxes' },
      { id: 'ok', type: 'checkbox' },
      { type: 'text' },
    ],
  });
  expect(sentValues(form, firstValues(form))).toEqual({ n: 3, ok: false });
});
