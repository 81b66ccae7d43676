import { Injectable } from '@nestjs/common';
import { SlackEvents } from '@tieline/bots';
import type { AppEventForSlack, BotEventForSlack, EventForSlack, SlackEvent } from '@tieline/bots';
import type { Tx } from '@tieline/platform/database';
import { conversationId } from '../ids/slack-ids.js';
import { tsOf } from '../ts/ts.js';
import { appEvents } from './app-events.js';
import type { AppEventBody } from './app-events.js';
import { wrapEvents } from './event-envelope.js';
import type { EventFacts } from './event-facts.js';
import { APPS_OF_BOTS, MESSAGES_OF_EVENTS } from './event-facts.statements.js';
import { chatEventsFor, directEvents, referredMessages } from './inner-events.js';

/** Translates events for Slack apps, when they are planned (docs/slack-apps.md#events). */
@Injectable()
export class TranslateEvents extends SlackEvents {
  async translate(tx: Tx, events: readonly EventForSlack[]): Promise<SlackEvent[][]> {
    const facts = await readFacts(tx, events);
    return events.map((given) => {
      if ('app' in given) return appEventFor(given.app, facts);
      const { spaceId, botId, event } = given;
      const [eventId, inner] =
        'chat' in event
          ? [event.chat.event_id, chatEventsFor(botId, event.chat, facts)]
          : [event.direct.eventId, directEvents(event.direct, facts)];
      return wrapEvents({ spaceId, botId, eventId, inner }, facts);
    });
  }
}

function appEventFor({ eventId, appId, body }: AppEventForSlack, facts: EventFacts): SlackEvent[] {
  const event = JSON.parse(body) as AppEventBody;
  const inner = appEvents(event);
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
  return {
    apps: new Map(apps.map(({ botId, appId }) => [botId, appId])),
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

/** The bot that receives an event, and the bot that wrote its message. */
function botsIn({ botId, event }: BotEventForSlack): string[] {
  const author = 'chat' in event ? event.chat.message : undefined;
  return author?.author_type === 'bot' ? [botId, author.author_id] : [botId];
}
