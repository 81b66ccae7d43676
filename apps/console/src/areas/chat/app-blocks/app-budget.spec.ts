import { appBudget } from './app-budget.js';

const section = (words: string) => ({ type: 'section', text: { type: 'mrkdwn', text: words } });

it('draws known blocks and shows the text of others', () => {
  const unknown = { type: 'hologram', text: { type: 'plain_text', text: 'three dimensions' } };
  expect(appBudget([section('one'), unknown, { type: 'nothing' }])).toEqual({
    drawn: [section('one')],
    rest: 'three dimensions',
  });
});

it('shows the texts of blocks beyond the budget', () => {
  const many = Array.from({ length: 50 }, (_none, index) => section(`word ${index} *bold* `.repeat(60)));
  const { drawn, rest } = appBudget(many);
  expect(drawn.length).toBeGreaterThan(2);
  expect(drawn.length).toBeLessThan(50);
  expect(rest).toContain('word 49');
  const cells = Array.from({ length: 60 }, () => ({ type: 'raw_text', text: 'cell' }));
  const wide = { type: 'table', rows: Array.from({ length: 100 }, () => cells) };
  expect(appBudget([wide, section('after')])).toEqual({
    drawn: [section('after')],
    rest: expect.stringMatching(/^cell · cell/) as string,
  });
});

it('does not count options of closed menus', () => {
  const options = Array.from({ length: 100 }, (_none, index) => ({
    text: { type: 'plain_text', text: `Option ${index}` },
    value: String(index),
  }));
  const menus = {
    type: 'actions',
    elements: Array.from({ length: 25 }, (_none, index) => ({
      type: 'static_select',
      action_id: String(index),
      options,
    })),
  };
  expect(appBudget([menus]).drawn).toHaveLength(1);
});
