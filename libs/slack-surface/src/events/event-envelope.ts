import type { SlackEvent } from '@tieline/bots';
import { v5 as uuidv5 } from 'uuid';
import { slackId } from '../ids/slack-ids.js';
import { appOf } from './event-facts.js';
import type { EventFacts } from './event-facts.js';
import type { InnerEvent } from './inner-event.js';

/** An event of Tieline that became events of Slack. */
export interface TranslatedEvent {
  spaceId: string;
  /** Empty for an event of an installation, which goes to the app itself. */
  botId: string;
  /** The app, if it is not that of the bot. */
  appId?: string;
  /** Id of Tieline's event. */
  eventId: string;
  inner: readonly InnerEvent[];
}

/**
 * Wraps events of one origin. The first one keeps the id of its origin, each other one has an id
 * derived from it, so that planning twice gives the same ids.
 */
export function wrapEvents({ inner, ...origin }: TranslatedEvent, facts: EventFacts): SlackEvent[] {
  return inner.map((event, at) => {
    const eventId = at === 0 ? origin.eventId : uuidv5(String(at), origin.eventId);
    const head = JSON.stringify(envelope({ ...origin, eventId }, event, facts));
    return { eventId, eventType: `slack.${event.type}`, head, payload: JSON.stringify(event) };
  });
}

/** The last field is `event`, which the text of the event replaces. */
function envelope(
  { spaceId, botId, eventId, appId }: Omit<TranslatedEvent, 'inner'>,
  { event_ts: at }: InnerEvent,
  facts: EventFacts,
): Record<string, unknown> {
  const team = slackId('space', spaceId);
  const app = slackId('app', appId ?? appOf(facts, botId));
  return {
    // Slack's verification token is deprecated and proves nothing here: apps check the signature.
    token: app,
    team_id: team,
    context_team_id: team,
    context_enterprise_id: null,
    api_app_id: app,
    type: 'event_callback',
    event_id: `Ev${slackId('user', eventId).slice(1)}`,
    event_time: Math.floor(Number(at)),
    authorizations: botId === '' ? [] : [authorizationOf(team, botId)],
    is_ext_shared_channel: false,
    event: null,
  };
}

function authorizationOf(team: string, botId: string): Record<string, unknown> {
  return {
    enterprise_id: null,
    team_id: team,
    user_id: slackId('user', botId),
    is_bot: true,
    is_enterprise_install: false,
  };
}
