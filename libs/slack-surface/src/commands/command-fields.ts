import type { RowOf } from '@tieline/platform/database';
import type { InvocationPayload } from '@tieline/slash';
import { conversationId, slackId } from '../ids/slack-ids.js';
import type { NAMES_OF_COMMANDS } from './command-fields.statements.js';

/** The names in the request of a command. */
export type CommandNames = RowOf<typeof NAMES_OF_COMMANDS>;

/** What {@link commandFields} needs of a command. */
export type CommandPayload = Pick<
  InvocationPayload,
  'trigger_id' | 'command' | 'space_id' | 'conversation_id' | 'user_id' | 'text' | 'response_token'
>;

/** The fields of a command, as a form or as an object, all of them texts. */
export function commandFields(
  payload: CommandPayload,
  { userName, channelId, channelName, scope, spaceName, appId }: CommandNames,
  { botId, publicUrl }: { botId: string; publicUrl: string },
): Record<string, string> {
  const app = slackId('app', appId ?? botId);
  const team = slackId('space', payload.space_id);
  return {
    token: app,
    team_id: team,
    team_domain: domainOf(spaceName),
    channel_id: conversationId({ id: channelId, scope }),
    channel_name: scope === 'dm' ? 'directmessage' : channelName,
    user_id: slackId('user', payload.user_id),
    user_name: userName,
    command: `/${payload.command}`,
    text: payload.text,
    api_app_id: app,
    is_enterprise_install: 'false',
    response_url: responseUrl(publicUrl, team, payload.response_token),
    trigger_id: payload.trigger_id,
  };
}

/** The address for later answers. It needs no header: the token in it is the permission. */
export function responseUrl(publicUrl: string, team: string, responseToken: string): string {
  return `${publicUrl}/slack/responses/${team}/${responseToken}`;
}

/** Returns the name of a space as a host name has it. */
export function domainOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  return words.replaceAll(/^-+|-+$/g, '') || 'tieline';
}
