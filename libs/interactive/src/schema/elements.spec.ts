import { ApiError } from '@tieline/platform/http';
import { findComponent } from './components.js';
import { parseMetadata } from './metadata.js';

const USER = '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41';
type Fields = Record<string, unknown>;

const OPTIONS = ['a', 'b', 'c'].map((value) => ({ value, label: value.toUpperCase() }));
const OF_ONE = ['select', 'radio', 'overflow'];
const OF_MANY = ['multi_select', 'checkboxes'];
const PICKERS = ['user_select', 'conversation_select', 'date_picker', 'time_picker'];
const ALL = [...OF_ONE, ...OF_MANY, ...PICKERS];

const element = (type: string, more: Fields = {}): Fields => ({
  type,
  action_id: 'pick',
  ...(!PICKERS.includes(type) && { options: OPTIONS }),
  ...more,
});
const json = (one: Fields): string =>
  JSON.stringify({ version: 1, blocks: [{ type: 'actions', elements: [one] }] });

/** Returns what is wrong with the element, without its place; "" if it is valid. */
function refusal(one: Fields): string {
  try {
    parseMetadata(json(one));
    return '';
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    expect(error).toMatchObject({ code: 'invalid_field', field: 'metadata_json' });
    return error.text.replace('blocks[0].elements[0].', '');
  }
}

const CONFIRM = { title: 'Sure?', text: 'Really?', confirm_label: 'Yes', cancel_label: 'No' };

describe('every element', () => {
  test.each(ALL)('%s is valid with and without the common fields', (type) => {
    expect(refusal(element(type))).toBe('');
    const everything = { confirm: CONFIRM, visibility_user_ids: [USER], placeholder: 'Pick', initial: null };
    expect(refusal(element(type, everything))).toBe('');
  });

  test.each(ALL)('%s follows the common rules', (type) => {
    const action = 'action_id: must match ^[a-z0-9_-]{1,64}$';
    expect(refusal(element(type, { action_id: 'Pick' }))).toBe(action);
    expect(refusal(element(type, { action_id: undefined }))).toBe('action_id: is required');
    expect(refusal(element(type, { confirm: { title: 'x'.repeat(76) } }))).toBe(
      'confirm.title: must be a text of up to 75 characters',
    );
    expect(refusal(element(type, { visibility_user_ids: ['ann'] }))).toBe(
      'visibility_user_ids[0]: must be a uuid',
    );
  });

  test.each(['select', 'multi_select', ...PICKERS])('%s has a placeholder', (type) => {
    expect(refusal(element(type, { placeholder: 'x'.repeat(101) }))).toBe(
      'placeholder: must be a text of up to 100 characters',
    );
  });
});

describe.each([...OF_ONE, ...OF_MANY])('the options of %s', (type) => {
  test('are required, at most 25, and distinct', () => {
    expect(refusal(element(type, { options: undefined }))).toBe('options: is required');
    expect(refusal(element(type, { options: [] }))).toBe('options: must have 1 to 25 items');
    const many = Array.from({ length: 26 }, (_, n) => ({ value: `${n}`, label: 'x' }));
    expect(refusal(element(type, { options: many }))).toBe('options: must have 1 to 25 items');
    expect(refusal(element(type, { options: many.slice(1) }))).toBe('');
    expect(refusal(element(type, { options: [...OPTIONS, OPTIONS[0]] }))).toBe(
      'options[3].value: appears twice',
    );
  });
});

describe('the initial value', () => {
  test.each(OF_ONE)('of %s is one of its options', (type) => {
    expect(refusal(element(type, { initial: 'b' }))).toBe('');
    for (const initial of ['x', ['b'], 2])
      expect(refusal(element(type, { initial }))).toBe('initial: must be the value of an option');
  });

  test.each(OF_MANY)('of %s is a list of its options', (type) => {
    for (const initial of [[], ['b'], ['c', 'a']]) expect(refusal(element(type, { initial }))).toBe('');
    expect(refusal(element(type, { initial: 'b' }))).toBe('initial: must be a list');
    expect(refusal(element(type, { initial: ['a', 'x'] }))).toBe('initial: must be values of options');
    expect(refusal(element(type, { initial: ['a', 'a'] }))).toBe('initial: contains a value twice');
    expect(refusal(element(type, { initial: ['a', 'b'], max_selected: 1 }))).toBe('initial: at most 1');
  });

  test.each(['user_select', 'conversation_select'])('of %s is an id', (type) => {
    expect(refusal(element(type, { initial: USER.toUpperCase() }))).toBe('');
    for (const initial of ['ann', [USER], 7])
      expect(refusal(element(type, { initial }))).toBe('initial: must be a uuid');
  });

  test('of a date picker is a valid date', () => {
    for (const initial of ['2026-12-01', '2028-02-29', '0001-01-01'])
      expect(refusal(element('date_picker', { initial }))).toBe('');
    const wrong = ['2026-02-29', '2026-02-30', '2026-13-01', '2026-00-10', '2026-1-1', '01.12.2026', '', 5];
    for (const initial of [...wrong, '2026-12-01T00:00:00Z', '2026-12-01\n', ['2026-12-01']])
      expect(refusal(element('date_picker', { initial }))).toBe(
        'initial: must be a valid date, as YYYY-MM-DD',
      );
  });

  test('of a time picker is a time of day', () => {
    for (const initial of ['00:00', '23:59', '09:30'])
      expect(refusal(element('time_picker', { initial }))).toBe('');
    for (const initial of ['24:00', '12:60', '9:30', '09:30:00', '9 am', '09:30\n', 930, ''])
      expect(refusal(element('time_picker', { initial }))).toBe('initial: must be a time of day, as HH:MM');
  });
});

describe.each(OF_MANY)('the number of choices in %s', (type) => {
  test('ranges from none to all options', () => {
    expect(refusal(element(type, { min_selected: 0, max_selected: 25 }))).toBe('');
    expect(refusal(element(type, { min_selected: 3, max_selected: 3 }))).toBe('');
  });

  test.each([
    [{ min_selected: -1 }, 'min_selected: must be a whole number from 0'],
    [{ min_selected: 1.5 }, 'min_selected: must be a whole number from 0'],
    [{ min_selected: '1' }, 'min_selected: must be a whole number from 0'],
    [{ max_selected: 0 }, 'max_selected: must be a whole number from 1 to 25'],
    [{ max_selected: 26 }, 'max_selected: must be a whole number from 1 to 25'],
    [{ max_selected: '2' }, 'max_selected: must be a whole number from 1 to 25'],
    [{ min_selected: 4 }, 'min_selected: must not exceed the number of options'],
    [{ min_selected: 2, max_selected: 1 }, 'min_selected: must not be greater than max_selected'],
  ])('%j is refused', (more, text) => {
    expect(refusal(element(type, more))).toBe(text);
  });
});

describe('a link button', () => {
  const link = (url: unknown) => ({ type: 'button', action_id: 'docs', text: 'Docs', url });

  test('needs an HTTPS address', () => {
    for (const url of ['https://example.com/a?b#c', 'HTTPS://example.com', null])
      expect(refusal(link(url))).toBe('');
    const tooLong = `https://example.com/${'x'.repeat(2048)}`;
    for (const url of ['http://example.com', 'javascript:alert(1)', '/docs', 'https://', '', tooLong, {}])
      expect(refusal(link(url))).toBe('url: must be an HTTPS URL');
  });

  test('is recognized in stored messages; other values in old messages are not links', () => {
    const found = (url: unknown) => findComponent(json(link(url)), 'docs');
    expect(found('https://example.com')).toMatchObject({ kind: 'button', isLink: true });
    for (const url of [undefined, null, 'http://example.com', 5])
      expect(found(url)).toMatchObject({ kind: 'button', isLink: false });
  });
});

test('an unknown element is not found', () => {
  expect(findComponent(json({ type: 'hologram', action_id: 'pick' }), 'pick')).toBeUndefined();
});
