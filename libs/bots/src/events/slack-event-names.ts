/** Slack's names of the events that a bot can subscribe to (docs/slack-apps.md#events). */
export const SLACK_EVENT_NAMES = [
  'agent_session_stopped',
  'app_home_opened',
  'app_mention',
  'app_uninstalled',
  'assistant_thread_started',
  'channel_archive',
  'channel_created',
  'channel_rename',
  'channel_unarchive',
  'file_shared',
  'group_archive',
  'group_rename',
  'group_unarchive',
  'member_joined_channel',
  'member_left_channel',
  'message.channels',
  'message.groups',
  'message.im',
  'message.mpim',
  'pin_added',
  'pin_removed',
  'reaction_added',
  'reaction_removed',
  'team_join',
  'tokens_revoked',
  'user_change',
] as const;

/** One of {@link SLACK_EVENT_NAMES}. */
export type SlackEventName = (typeof SLACK_EVENT_NAMES)[number];
