import { Injectable } from '@nestjs/common';
import { SlackEvents } from '@tieline/bots';
import { findHome } from '@tieline/interactive';
import type { AppEventForSlack, BotEventForSlack, EventForSlack, SlackEvent } from '@tieline/bots';
import type { Tx } from '@tieline/platform/database';
import { conversationId } from '../ids/slack-ids.js';
import { tsOf } from '../ts/ts.js';
import { appView } from '../views/view-shapes.js';
import { appEvents } from './app-events.js';
import type { AppEventBody } from './app-events.js';
import { homeKey } from './direct-events.js';
import type { Opened } from './direct-events.js';
import { wrapEvents } from './event-envelope.js';
import type { EventFacts } from './event-facts.js';
import {
  APPS_OF_BOTS,
  MESSAGES_OF_EVENTS,
  SUBSCRIPTIONS_OF_INSTALLATIONS,
} from './event-facts.statements.js';
import { chatEventsFor, directEvents, referredMessages } from './inner-events.js';
import { subscribed } from './subscriptions.js';

/** Translates events for Slack apps, when they are planned (docs/slack-apps.md#events). */
@Injectable()
export class TranslateEvents extends SlackEvents {
  async translate(tx: Tx, events: readonly EventForSlack[]): Promise<SlackEvent[][]> {
    const facts = await readFacts(tx, events);
    return events.map((given) => {
      if ('app' in given) return appEventFor(given.app, facts);
      const { spaceId, botId, subscriptions, event } = given;
      const [eventId, all] =
        'chat' in event
          ? [event.chat.event_id, chatEventsFor(botId, event.chat, facts)]
          : [event.direct.eventId, directEvents({ spaceId, botId }, event.direct, facts)];
      return wrapEvents({ spaceId, botId, eventId, inner: subscribed(subscriptions, all) }, facts);
    });
  }
}

function appEventFor({ eventId, appId, body }: AppEventForSlack, facts: EventFacts): SlackEvent[] {
  const event = JSON.parse(body) as AppEventBody;
  const inner = subscribed(facts.subscriptions.get(event.installation_id) ?? [], appEvents(event));
  return wrapEvents({ spaceId: event.space_id, botId: '', appId, eventId, inner }, facts);
}

async function readFacts(tx: Tx, events: readonly EventForSlack[]): Promise<EventFacts> {
  const ofBots = events.filter((event) => 'event' in event);
  const asked = new Map(
    ofBots.flatMap((event) => referredMessages(event).map((id) => [id, event.spaceId] as const)),
  );
  const rows =
    asked.size > 0
      ? await tx.query(MESSAGES_OF_EVENTS, { spaceIds: [...asked.values()], ids: [...asked.keys()] })
      : [];
  const bots = [...new Set(ofBots.flatMap(botsIn))];
  const spaces = [...new Set(ofBots.map(({ spaceId }) => spaceId))];
  const apps = await tx.query(APPS_OF_BOTS, [spaces, bots]);
  const appIds = new Map(apps.map(({ botId, appId }) => [botId, appId]));
  return {
    apps: appIds,
    assistants: new Set(ofBots.filter(({ isAssistant }) => isAssistant).map(({ botId }) => botId)),
    homes: await readHomes(tx, ofBots, appIds),
    subscriptions: await readSubscriptions(tx, events),
    messages: new Map(
      rows.map(({ id, sentAt, authorId, channelId, scope, rootSentAt }) => [
        id,
        {
          ts: tsOf(sentAt),
          authorId,
          channel: conversationId({ id: channelId, scope }),
          threadTs: rootSentAt === null ? undefined : tsOf(rootSentAt),
        },
      ]),
    ),
  };
}

/** Reads what the bots of the installations subscribed to that events for apps are about. */
async function readSubscriptions(
  tx: Tx,
  events: readonly EventForSlack[],
): Promise<EventFacts['subscriptions']> {
  const bodies = events.flatMap((event) =>
    'app' in event ? [JSON.parse(event.app.body) as AppEventBody] : [],
  );
  if (bodies.length === 0) return new Map();
  const [spaces, ids] = [bodies.map((body) => body.space_id), bodies.map((body) => body.installation_id)];
  const rows = await tx.query(SUBSCRIPTIONS_OF_INSTALLATIONS, [spaces, ids]);
  return new Map(rows.map(({ id, slackEvents }) => [id, slackEvents]));
}

/** Reads the homes that people opened. */
async function readHomes(
  tx: Tx,
  events: readonly BotEventForSlack[],
  apps: ReadonlyMap<string, string>,
): Promise<EventFacts['homes']> {
  const homes = new Map<string, Readonly<Record<string, unknown>>>();
  for (const { spaceId, botId, event } of events) {
    if (!('direct' in event) || event.direct.eventType !== 'DM_OPENED') continue;
    const { tab, user_id: userId } = JSON.parse(event.direct.payload) as Opened;
    const home = tab === 'home' ? await findHome(tx, { spaceId, botId, userId }) : undefined;
    if (home) homes.set(homeKey(botId, userId), appView(home, apps.get(botId)));
  }
  return homes;
}

/** The bot that receives an event, and the bot that wrote its message. */
function botsIn({ botId, event }: BotEventForSlack): string[] {
  const author = 'chat' in event ? event.chat.message : undefined;
  return author?.author_type === 'bot' ? [botId, author.author_id] : [botId];
}
