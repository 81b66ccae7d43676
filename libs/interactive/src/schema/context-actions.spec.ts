import { ApiError } from '@tieline/platform/http';
import { findComponent, hasFeedbackButtons } from './components.js';
import { parseMetadata } from './metadata.js';

const USER = '01939D3E-0002-7aaa-9c1d-2f6a5b1c0d41';
type Fields = Record<string, unknown>;

const FEEDBACK = { type: 'feedback_buttons', action_id: 'good' };
const ICON = { type: 'icon_button', action_id: 'again', icon: 'refresh', text: 'Try again' };
const block = (...elements: unknown[]): Fields => ({ type: 'context_actions', elements });
const json = (...blocks: unknown[]): string => JSON.stringify({ version: 1, blocks });

/** Returns what is wrong with the metadata; "" if it is valid. */
function refusal(text: string): string {
  try {
    expect(parseMetadata(text)?.isInteractive).toBe(true);
    return '';
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    expect(error).toMatchObject({ code: 'invalid_field', field: 'metadata_json' });
    return error.text;
  }
}
const refusalOf = (element: unknown): string =>
  refusal(json(block(element))).replace('blocks[0].elements[0]', '');

test('elements are valid with their required and with all fields', () => {
  expect(refusalOf(FEEDBACK)).toBe('');
  const buttons = { positive: { text: 'x'.repeat(75), data: 'x'.repeat(2000) }, negative: {} };
  expect(refusalOf({ ...FEEDBACK, ...buttons })).toBe('');
  expect(refusalOf({ ...FEEDBACK, positive: null, negative: { text: null, data: null } })).toBe('');
  expect(refusalOf(ICON)).toBe('');
  expect(refusalOf({ ...ICON, data: 'x'.repeat(2000), visible_to: [USER] })).toBe('');
  expect(refusalOf({ ...ICON, data: null, visible_to: null })).toBe('');
});

test.each(['copy', 'refresh', 'delete'])('the icon %s is known', (icon) => {
  expect(refusalOf({ ...ICON, icon })).toBe('');
});

const ACTION = 'must match ^[a-z0-9_-]{1,64}$';
const LABEL = 'must be a text of 1 to 75 characters';
const DATA = 'must be a text of up to 2000 characters';
const ICONS =
  'must be copy or refresh or delete or edit or share or download or bookmark or flag or info or settings';
test.each([
  [{ type: 'button', action_id: 'x', text: 'x' }, '.type: must be feedback_buttons or icon_button'],
  [{}, '.type: must be feedback_buttons or icon_button'],
  ['x', ': must be an object'],
  [{ ...FEEDBACK, action_id: undefined }, '.action_id: is required'],
  [{ ...FEEDBACK, action_id: 'Good' }, `.action_id: ${ACTION}`],
  [{ ...FEEDBACK, positive: 'x' }, '.positive: must be an object'],
  [{ ...FEEDBACK, positive: { text: '' } }, `.positive.text: ${LABEL}`],
  [{ ...FEEDBACK, positive: { text: 5 } }, '.positive.text: must be a string'],
  [{ ...FEEDBACK, negative: { text: 'x'.repeat(76) } }, `.negative.text: ${LABEL}`],
  [{ ...FEEDBACK, negative: { data: 5 } }, '.negative.data: must be a string'],
  [{ ...FEEDBACK, negative: { data: 'x'.repeat(2001) } }, `.negative.data: ${DATA}`],
  [{ ...ICON, action_id: '' }, `.action_id: ${ACTION}`],
  [{ ...ICON, icon: undefined }, `.icon: ${ICONS}`],
  [{ ...ICON, icon: 'trash' }, `.icon: ${ICONS}`],
  [{ ...ICON, icon: 5 }, `.icon: ${ICONS}`],
  [{ ...ICON, text: undefined }, '.text: is required'],
  [{ ...ICON, text: ' ' }, `.text: ${LABEL}`],
  [{ ...ICON, data: {} }, '.data: must be a string'],
  [{ ...ICON, visible_to: USER }, '.visible_to: must be a list'],
  [{ ...ICON, visible_to: ['ann'] }, '.visible_to[0]: must be a uuid'],
  [{ ...ICON, visible_to: Array(101).fill(USER) }, '.visible_to: at most 100'],
])('an element %j is refused', (element, problem) => {
  expect(refusalOf(element)).toBe(problem);
});

test('a message has at most 5 such blocks of 5 elements, besides those of type actions', () => {
  const icons = (from: number, count: number): Fields[] =>
    Array.from({ length: count }, (_, n) => ({ ...ICON, action_id: `a${from + n}` }));
  const blocks = Array.from({ length: 5 }, (_, n) => block(...icons(n * 5, 5)));
  const actions = { type: 'actions', elements: [{ type: 'button', action_id: 'x', text: 'x' }] };
  expect(refusal(json(...blocks, actions))).toBe('');
  expect(refusal(json(...blocks, block()))).toBe('blocks: at most 5 of type context_actions');
  expect(refusal(json(block(...icons(0, 6))))).toBe('blocks[0].elements: at most 5');
});

test('action ids are unique in the message, and it asks for feedback once', () => {
  const actions = { type: 'actions', elements: [{ type: 'button', action_id: 'again', text: 'x' }] };
  expect(refusal(json(actions, block(ICON)))).toBe(
    'blocks[1].elements[0].action_id: is used twice in this message',
  );
  expect(refusal(json(block(FEEDBACK), block({ ...FEEDBACK, action_id: 'other' })))).toBe(
    'blocks[1].elements[0]: at most 1 of type feedback_buttons in a message',
  );
});

test('the version is required', () => {
  expect(refusal(JSON.stringify({ blocks: [block(ICON)] }))).toBe(
    'version: must be the number 1 when there are interactive blocks',
  );
});

test('elements are found with what a click needs', () => {
  const stored = json(
    block(
      { ...FEEDBACK, positive: { text: 'Good', data: 'up' }, visibility_user_ids: [USER] },
      { ...ICON, data: 'again', visible_to: [USER] },
    ),
  );
  expect(findComponent(stored, 'good')).toEqual({
    kind: 'feedback',
    actionId: 'good',
    data: '',
    // Feedback is for everyone.
    visibleTo: [],
    positive: 'up',
    negative: '',
  });
  expect(findComponent(stored, 'again')).toEqual({
    kind: 'button',
    actionId: 'again',
    data: 'again',
    visibleTo: [USER.toLowerCase()],
    isLink: false,
  });
  expect(hasFeedbackButtons(stored)).toBe(true);
  expect(hasFeedbackButtons(json(block(ICON)))).toBe(false);
  expect(hasFeedbackButtons(json({ type: 'section', text: JSON.stringify(FEEDBACK) }))).toBe(false);
  expect(hasFeedbackButtons(null)).toBe(false);
});
