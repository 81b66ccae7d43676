import { slackId } from '../ids/slack-ids.js';

/** A person as bots see them. */
export interface SlackPerson {
  id: string;
  display_name: string;
  role: string;
  is_active: boolean;
  email?: string;
}

/** A bot. */
interface Bot {
  id: string;
  spaceId: string;
  displayName: string;
  avatarUrl: string;
  isActive: boolean;
}

/** Returns a person in Slack's form. */
export function personUser(person: SlackPerson, spaceId: string): Record<string, unknown> {
  const { display_name: name, role, email } = person;
  return {
    ...shared({ id: person.id, spaceId, name, isActive: person.is_active }),
    is_admin: role === 'admin' || role === 'owner',
    is_owner: role === 'owner',
    is_primary_owner: false,
    is_restricted: role === 'guest',
    is_ultra_restricted: false,
    is_bot: false,
    profile: { ...profileOf(name), ...(email !== undefined && { email }) },
  };
}

/** Returns a bot as a user in Slack's form. @param appId of the app that it belongs to */
export function botUser(bot: Bot, appId: string | undefined): Record<string, unknown> {
  const { id, spaceId, displayName: name, avatarUrl, isActive } = bot;
  const app = appId === undefined ? {} : { api_app_id: slackId('app', appId) };
  return {
    ...shared({ id, spaceId, name, isActive }),
    is_admin: false,
    is_owner: false,
    is_bot: true,
    profile: {
      ...profileOf(name),
      ...app,
      bot_id: slackId('bot', id),
      ...(avatarUrl !== '' && { image_48: avatarUrl, image_192: avatarUrl, image_512: avatarUrl }),
    },
  };
}

function shared(user: {
  id: string;
  spaceId: string;
  name: string;
  isActive: boolean;
}): Record<string, unknown> {
  return {
    id: slackId('user', user.id),
    team_id: slackId('space', user.spaceId),
    name: handleOf(user.name),
    real_name: user.name,
    deleted: !user.isActive,
    tz: 'Etc/UTC',
    tz_label: 'Coordinated Universal Time',
    tz_offset: 0,
    updated: 0,
  };
}

const profileOf = (name: string): Record<string, unknown> => ({
  real_name: name,
  real_name_normalized: name,
  display_name: name,
  display_name_normalized: name,
  status_text: '',
  status_emoji: '',
});

/** People have no handles here: the name in lower case with dots. */
export const handleOf = (name: string): string => name.trim().toLowerCase().replaceAll(/\s+/g, '.');
