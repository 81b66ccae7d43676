import { thinData } from './thin-data.js';

test.each<[string, object, object]>([
  [
    'MESSAGE_CREATED',
    {
      message_id: 'm',
      conversation_id: 'c',
      author_id: 'a',
      text: 'secret',
      msg_index: 1,
      sent_at: 'now',
      mentions: ['u'],
      thread_id: 't',
      parent_message_id: 'p',
      conversation_context: { conversation_id: 'c' },
    },
    { message_id: 'm', conversation_id: 'c', author_id: 'a', thread_id: 't', parent_message_id: 'p' },
  ],
  [
    'REACTION_ADDED',
    { message_id: 'm', conversation_id: 'c', emoji: '🎉', user_id: 'u' },
    { message_id: 'm', conversation_id: 'c', user_id: 'u' },
  ],
  [
    'CONVERSATION_CREATED',
    { conversation_id: 'c', name: 'releases', type: 'channel', created_by: 'u' },
    { conversation_id: 'c', created_by: 'u' },
  ],
  [
    'MEMBER_JOINED',
    { conversation_id: 'c', member_id: 'u', member_type: 'user' },
    { conversation_id: 'c', member_id: 'u' },
  ],
  ['WEBHOOK_TEST', { message: 'This is a test delivery.' }, {}],
])('keeps only the ids of a %s', (type, data, thin) => {
  expect(thinData(type, data)).toEqual(thin);
});
