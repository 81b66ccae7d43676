import { stackAfter } from './stack.js';
import { firstValues, readForm, sentValues } from './form.js';

const modal = { title: 'One', fields: [] };

it('opens, corrects, replaces and covers forms by what the bot answers', () => {
  let open = stackAfter([], { result: 'open_modal', modal, modal_token: 'a' }, 'c');
  open = stackAfter(open, { result: 'errors', errors: { x: 'no' }, modal_token: 'a' }, 'c');
  expect(open).toMatchObject([{ token: 'a', errors: { x: 'no' }, isAwaiting: false }]);
  open = stackAfter(open, { result: 'update_modal', modal: { title: 'Two' }, modal_token: 'a' }, 'c');
  expect(open).toMatchObject([{ token: 'a', errors: {}, modal: { title: 'Two' } }]);
  open = stackAfter(open, { result: 'push_modal', modal, modal_token: 'b' }, 'c');
  expect(open.map(({ token }) => token)).toEqual(['a', 'b']);
  expect(stackAfter(open, { result: 'ephemeral' }, 'c')).toBe(open);
});

it('sends numbers as numbers and leaves out what is empty', () => {
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
