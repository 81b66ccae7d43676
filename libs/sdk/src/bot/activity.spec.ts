import { toActivity } from './activity.js';

test('the trigger identifies a command, but not a click or form, which can have the same one', () => {
  const keyOf = (type: string, more = {}): string => toActivity(type, { trigger_id: 't', ...more }, 'd').key;
  expect(keyOf('slash.command')).toBe('t');
  expect([keyOf('button.click'), keyOf('modal.submit')]).toEqual(['d', 'd']);
  expect(keyOf('button.click', { interaction_id: 'i' })).toBe('i');
});
