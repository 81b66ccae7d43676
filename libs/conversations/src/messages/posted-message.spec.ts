import { readPosted } from './posted-message.js';

test('an event that an earlier version stored whole is passed through unchanged', () => {
  const payload = { event_id: 'e', event_type: 'MESSAGE_CREATED', space_id: 's', data: { text: 'x' } };
  expect(readPosted({ id: 1, eventId: 'e', spaceId: 's', type: 'MESSAGE_CREATED', payload })).toBe(payload);
});

test('a posted message becomes a chat event', () => {
  const posted = {
    ...{ id: 'm', authorId: 'b', authorType: 'bot', text: 'x', msgIndex: 7, sentAt: '2026-01-01T00:00:00Z' },
    ...{ metadataJson: null, displayName: null, displayAvatarUrl: null, textDerived: null, notify: null },
    conversation: { id: 'c', type: 'channel', subtype: null, scope: 'private', botIds: ['b'] },
  };
  const record = { id: 1, eventId: 'e', spaceId: 's', type: 'MESSAGE_CREATED', payload: { posted } };
  expect(readPosted(record)).toMatchObject({ event_id: 'e', space_id: 's', channel_id: 'c', bot_ids: ['b'] });
});

test('fields that are absent and fields that earlier versions stored as null mean the same', () => {
  const posted = {
    ...{ id: 'm', authorId: 'b', authorType: 'bot', text: 'x', msgIndex: 7, sentAt: '2026-01-01T00:00:00Z' },
    conversation: { id: 'c', type: 'channel', scope: 'public' },
  };
  const withNulls = {
    ...posted,
    ...{ metadataJson: null, displayName: null, displayAvatarUrl: null, textDerived: null, notify: null },
    ...{ mentions: null, threadId: null, attachments: null },
    conversation: { ...posted.conversation, subtype: null, botIds: null },
  };
  const record = { id: 1, eventId: 'e', spaceId: 's', type: 'MESSAGE_CREATED' };
  expect(readPosted({ ...record, payload: { posted } })).toEqual(
    readPosted({ ...record, payload: { posted: withNulls } }),
  );
});
