import { replyTarget } from './open-thread.js';
import type { ParentPlace } from './open-thread.js';

const CHANNEL = { id: 'channel', rootMessageId: null };
const THREAD = { id: 'thread', rootMessageId: 'root' };
const place = (more: Partial<ParentPlace>): ParentPlace => ({
  messageId: 'm',
  conversationId: 'channel',
  rootMessageId: null,
  parentConversationId: null,
  ownThreadId: null,
  ...more,
});
const inThread = place({ conversationId: 'thread', rootMessageId: 'root', parentConversationId: 'channel' });
const root = place({ messageId: 'root', ownThreadId: 'thread' });

test.each([
  ['the first reply to a message of the channel', CHANNEL, place({}), { rootMessageId: 'm' }],
  ['a further reply', CHANNEL, root, { rootMessageId: 'root', threadConversationId: 'thread' }],
  [
    'a reply to a reply, sent to the channel',
    CHANNEL,
    inThread,
    { rootMessageId: 'root', threadConversationId: 'thread' },
  ],
  ['the thread and its root', THREAD, root, { rootMessageId: 'root', threadConversationId: 'thread' }],
  [
    'the thread and one of its messages',
    THREAD,
    inThread,
    { rootMessageId: 'root', threadConversationId: 'thread' },
  ],
  ['a message of another channel', CHANNEL, place({ conversationId: 'other' }), undefined],
  [
    'a message in a thread of another channel',
    CHANNEL,
    place({ ...inThread, parentConversationId: 'other' }),
    undefined,
  ],
  ['the thread and another message of its channel', THREAD, place({}), undefined],
  [
    'the thread and a message of another thread',
    THREAD,
    place({ conversationId: 'thread2', rootMessageId: 'root2', parentConversationId: 'channel' }),
    undefined,
  ],
])('%s', (_, named, parent, target) => {
  expect(replyTarget(named, parent)).toEqual(target);
});
