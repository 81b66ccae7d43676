import { describeClaims, describeEntities, describeStatements } from '@tieline/testing';
import * as channels from './channels/channels.statements.js';
import * as conversationList from './channels/conversation-list.statements.js';
import * as conversation from './conversation.statements.js';
import * as direct from './dm/direct.statements.js';
import * as history from './messages/history/history.statements.js';
import * as live from './live/live.statements.js';
import * as member from './members/member.statements.js';
import * as message from './messages/message.statements.js';
import * as posted from './messages/posting/posted-messages.statements.js';
import * as postMany from './messages/posting/post-many.statements.js';
import * as jobs from './notifications/notification-jobs.statements.js';
import * as notifications from './notifications/notifications.statements.js';
import * as push from './notifications/push/push.statements.js';
import * as pin from './messages/pins/pin.statements.js';
import * as reaction from './messages/reactions/reaction.statements.js';
import * as storedMessage from './messages/stored-message.statements.js';
import * as thread from './messages/threads/thread.statements.js';
import { StoredConversation } from './channels/conversation.entity.js';
import { ConversationMember } from './members/conversation-member.entity.js';
import { PushSubscription } from './notifications/push/push-subscription.entity.js';

describeStatements(
  channels,
  conversation,
  conversationList,
  direct,
  history,
  jobs,
  live,
  member,
  message,
  notifications,
  pin,
  posted,
  postMany,
  push,
  reaction,
  storedMessage,
  thread,
);
describeEntities(StoredConversation, ConversationMember, PushSubscription);

describeClaims({
  statement: jobs.DROP_REJECTED,
  params: [7],
  fill: `INSERT INTO notification_rejected (space_id, event_id, message_id, conversation_id, channel_id, notice, occurred_at, attempts, error, rejected_at)
    SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '{}', now(), 8, 'x', now() - interval '8 days' FROM generate_series(1, 50)`,
  waiting: 'SELECT 1 FROM notification_rejected',
  takes: 7,
});
