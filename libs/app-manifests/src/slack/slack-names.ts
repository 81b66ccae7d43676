import type { SlackEventName } from '@tieline/bots';
import type { Scope } from '@tieline/platform/http';

/** Slack's scopes of bots and people, and what they are here. */
export const SCOPES_BY_SLACK_NAME: Readonly<Record<string, readonly Scope[]>> = {
  'app_mentions:read': ['events'],
  'channels:history': ['messages:read', 'events'],
  'channels:join': ['conversations:join'],
  'channels:manage': ['conversations:write'],
  'channels:read': ['conversations:read'],
  'channels:write': ['conversations:write'],
  'chat:write': ['messages:write', 'runs'],
  'chat:write.customize': ['messages:write'],
  'chat:write.public': ['messages:write'],
  commands: ['commands'],
  'files:read': ['files:read'],
  'files:write': ['files:write'],
  'groups:history': ['messages:read', 'events'],
  'groups:read': ['conversations:read'],
  'groups:write': ['conversations:write'],
  'im:history': ['messages:read', 'events'],
  'im:read': ['conversations:read'],
  'im:write': ['conversations:write'],
  'mpim:history': ['messages:read', 'events'],
  'mpim:read': ['conversations:read'],
  'mpim:write': ['conversations:write'],
  'assistant:write': ['messages:write', 'runs'],
  'pins:read': ['messages:read'],
  'pins:write': ['messages:write'],
  'reactions:read': ['messages:read', 'events'],
  'reactions:write': ['reactions:write'],
  'search:read': ['search'],
  'search:read.files': ['search'],
  'search:read.im': ['search'],
  'search:read.mpim': ['search'],
  'search:read.private': ['search'],
  'search:read.public': ['search'],
  'users:read': ['users:read'],
  'users:read.email': ['users:read.email'],
};

const MESSAGES = ['MESSAGE_CREATED', 'MESSAGE_UPDATED', 'MESSAGE_DELETED'] as const;

/** Slack's events of bots, and the event types that carry the same. */
export const EVENT_TYPES_BY_SLACK_NAME: Readonly<Record<SlackEventName, readonly string[]>> = {
  // These need no type.
  app_uninstalled: [],
  tokens_revoked: [],
  agent_session_stopped: [],
  app_mention: ['MESSAGE_CREATED'],
  // The files of a message can be attached later.
  file_shared: ['MESSAGE_CREATED', 'MESSAGE_UPDATED'],
  app_home_opened: ['DM_OPENED'],
  assistant_thread_started: ['ASSISTANT_THREAD_STARTED'],
  channel_archive: ['CONVERSATION_ARCHIVED'],
  channel_created: ['CONVERSATION_CREATED'],
  channel_rename: ['CONVERSATION_UPDATED'],
  channel_unarchive: ['CONVERSATION_UPDATED'],
  group_archive: ['CONVERSATION_ARCHIVED'],
  group_rename: ['CONVERSATION_UPDATED'],
  group_unarchive: ['CONVERSATION_UPDATED'],
  member_joined_channel: ['MEMBER_JOINED'],
  member_left_channel: ['MEMBER_LEFT'],
  'message.channels': MESSAGES,
  'message.groups': MESSAGES,
  'message.im': MESSAGES,
  'message.mpim': MESSAGES,
  pin_added: ['MESSAGE_UPDATED'],
  pin_removed: ['MESSAGE_UPDATED'],
  reaction_added: ['REACTION_ADDED'],
  reaction_removed: ['REACTION_REMOVED'],
  team_join: ['USER_CREATED'],
  user_change: ['USER_UPDATED'],
};
