import { describeEntities, describeStatements } from '@tieline/testing';
import * as channels from './channels/channels.statements.js';
import * as conversationList from './channels/conversation-list.statements.js';
import * as conversation from './conversation.statements.js';
import * as direct from './dm/direct.statements.js';
import * as history from './messages/history/history.statements.js';
import * as member from './members/member.statements.js';
import * as membership from './access/membership.statements.js';
import * as byTime from './messages/messages-by-time.statements.js';
import * as message from './messages/message.statements.js';
import * as posted from './messages/posting/posted-messages.statements.js';
import * as postMany from './messages/posting/post-many.statements.js';
import * as pin from './messages/pins/pin.statements.js';
import * as reaction from './messages/reactions/reaction.statements.js';
import * as storedMessage from './messages/stored-message.statements.js';
import * as thread from './messages/threads/thread.statements.js';
import { StoredConversation } from './conversation.entity.js';
import { ConversationMember } from './members/conversation-member.entity.js';

describeStatements(
  byTime,
  channels,
  conversation,
  conversationList,
  direct,
  history,
  member,
  membership,
  message,
  pin,
  posted,
  postMany,
  reaction,
  storedMessage,
  thread,
);
describeEntities(StoredConversation, ConversationMember);
