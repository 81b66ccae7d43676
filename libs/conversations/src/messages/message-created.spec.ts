import { chatEventOf } from './message-created.js';

test('an event that an earlier version stored whole is passed on as it is', () => {
  const payload = { event_id: 'e', event_type: 'MESSAGE_CREATED', space_id: 's', data: { text: 'x' } };
  expect(chatEventOf({ id: 1, eventId: 'e', spaceId: 's', type: 'MESSAGE_CREATED', payload })).toBe(payload);
});
