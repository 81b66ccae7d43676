import { thinData } from './thin-data.js';

test.each<[string, object, object]>([
  [
    'a message',
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
    'a reaction',
    { message_id: 'm', conversation_id: 'c', emoji: '🎉', user_id: 'u' },
    { message_id: 'm', conversation_id: 'c', user_id: 'u' },
  ],
  [
    'a conversation',
    { conversation_id: 'c', name: 'releases', type: 'channel', created_by: 'u' },
    { conversation_id: 'c', created_by: 'u' },
  ],
  [
    'a member',
    { conversation_id: 'c', member_id: 'u', member_type: 'user' },
    { conversation_id: 'c', member_id: 'u' },
  ],
  ['a test send', { message: 'This is a test delivery.' }, {}],
])('keeps only the ids of %s', (_name, data, thin) => {
  expect(thinData(data)).toEqual(thin);
});
