import { chatEvents } from '@tieline/conversations';
import type { ChatEvent, PublicEvents } from '@tieline/conversations';
import type { Bus } from '@tieline/live';
import type { Tx } from '@tieline/platform/database';
import { PERSON_CHANGED } from '@tieline/spaces';
import type { PersonChanged } from '@tieline/spaces';
import { checkRowBudget, partOf, PlannedConfigs } from '@tieline/delivery';
import { BOT_PLANS } from './bot-plans.statements.js';
import type { OutboxRecord, OutboxSubscriber } from '@tieline/delivery';
import { BOT_CHANGED } from '../accounts/bot-changed.js';
import type { BotChanged } from '../accounts/bot-changed.js';
import { announceDmGap, announceDms } from '../dm-stream/announce-dms.js';
import { writeDmInbox } from '../dm-stream/write-dm-inbox.js';
import type { NewDmInboxEntry } from '../dm-stream/write-dm-inbox.js';
import { announcePollGap, announcePollRecords } from '../poll/announce-poll-records.js';
import { appendPollRecords } from '../poll/append-poll-records.js';
import type { NewPollRecord } from '../poll/append-poll-records.js';
import { BOT_DIRECT_EVENT, withData } from '../poll/direct-event.js';
import type { DirectEventPayload } from '../poll/direct-event.js';
import { userEventsFor, userEventType } from '../people/user-events-for.js';
import type { SelectedPersonChange, UserEventForBot } from '../people/user-events-for.js';
import { byInstallation, planPushes } from '../push/plan-pushes.js';
import type { NewPush } from '../push/plan-pushes.js';
import type { BotEventForSlack, SlackEvents } from './slack-events.js';
import { planAfter } from './bot-plan.js';
import type { BotPlan } from './bot-plan.js';
import { SpaceBots } from './space-bots.js';

/** An event to translate for one bot. */
interface Untranslated extends BotEventForSlack {
  bot: BotPlan;
  conversationId?: string;
}

/** An event for one bot. */
type DirectForBot = Omit<UserEventForBot, 'head'> & { head?: string };

/** Outbox types other than public events. */
const OWN_TYPES: readonly string[] = [BOT_CHANGED, BOT_DIRECT_EVENT, PERSON_CHANGED];

/** The rows to write for a batch of events. */
class PlannedRows {
  readonly poll: NewPollRecord[] = [];
  readonly inbox: NewDmInboxEntry[] = [];
  readonly pushes: NewPush[] = [];
  readonly untranslated: Untranslated[] = [];
  readonly people: SelectedPersonChange[] = [];
  /** Number of bots that receive each event. */
  readonly rows = new Map<string, number>();
  /** Bots that may no longer be allowed to poll. Their long polls must check again. */
  readonly changed: string[] = [];
}

/**
 * Turns events into records of the poll queue, push deliveries and messages of DM streams. The
 * settings and memberships at an event's commit decide which bots receive it, and how.
 */
export class BotEventsPlanner implements OutboxSubscriber {
  readonly name = 'bots';
  readonly plansInParts = true;
  private readonly plans = new PlannedConfigs<BotPlan, SpaceBots>(BOT_PLANS, (plans) => SpaceBots.of(plans));
  private planned = new PlannedRows();
  /** Another relay may have planned events without announcing them. */
  private gap = false;

  constructor(
    private readonly bus: Bus,
    private readonly events: PublicEvents,
    private readonly slackEvents: SlackEvents,
  ) {}

  async plan(tx: Tx, records: OutboxRecord[]): Promise<void> {
    this.planned = new PlannedRows();
    const relevant = records.filter(({ type }) => OWN_TYPES.includes(type) || this.events.has(type));
    if (relevant.length === 0) return;
    await this.plans.begin(
      tx,
      relevant.map(({ spaceId }) => spaceId),
    );
    for (const record of relevant) this.take(tx, record);
    for (const event of await userEventsFor(tx, this.planned.people)) this.addDirect(event);
    checkRowBudget(tx, this.planned.rows);
    await this.plans.save(tx);
    await this.translate(tx);
    await appendPollRecords(tx, this.planned.poll);
    await writeDmInbox(tx, this.planned.inbox);
    await planPushes(tx, this.planned.pushes);
  }

  committed(): void {
    this.plans.commit();
    if (this.gap) {
      this.gap = false;
      announcePollGap(this.bus);
      announceDmGap(this.bus);
    }
    announcePollRecords(this.bus, [...this.planned.changed, ...this.planned.poll.map(({ botId }) => botId)]);
    announceDms(this.bus, this.planned.inbox);
    this.planned = new PlannedRows();
  }

  rolledBack(): void {
    this.plans.rollBack();
    this.planned = new PlannedRows();
  }

  reset(): void {
    this.plans.reset();
    this.gap = true;
  }

  private take(tx: Tx, record: OutboxRecord): void {
    if (record.type === BOT_CHANGED) {
      const changed = record.payload as BotChanged;
      this.planned.changed.push(changed.botId);
      this.plans.apply(record.spaceId, { id: changed.botId, config: planAfter(changed) });
    } else if (record.type === BOT_DIRECT_EVENT) {
      this.takeDirect(record as OutboxRecord<DirectEventPayload>);
    } else if (record.type === PERSON_CHANGED) {
      this.takePerson(tx, record as OutboxRecord<PersonChanged>);
    } else {
      const event = this.events.of(record);
      if (event) this.takeChat(tx, record, event);
    }
  }

  private takeDirect({ spaceId, eventId, payload }: OutboxRecord<DirectEventPayload>): void {
    const { bot_id: botId, event_type: eventType, payload_json: text, head } = payload;
    const bot = this.plans.of(spaceId).find(botId);
    if (bot) this.addDirect({ spaceId, bot, eventId, eventType, payload: text, ...(head && { head }) });
  }

  private takePerson(tx: Tx, record: OutboxRecord<PersonChanged>): void {
    const selecting = this.plans.of(record.spaceId).selecting(userEventType(record.payload));
    const bots = partOf(tx, record, selecting);
    if (bots.length === 0) return;
    this.planned.people.push({ record, bots });
    this.planned.rows.set(record.eventId, bots.length);
  }

  private addDirect({ bot, payload, head, ...event }: DirectForBot): void {
    const { spaceId, eventId, eventType } = event;
    // Clicks and commands stay as they are. The connection that sends them translates them.
    if (bot.eventFormat === 'slack' && bot.mode !== 'none' && head)
      this.planned.untranslated.push({
        ...{ spaceId, bot, ...forSlack(bot) },
        event: { direct: { eventId, eventType, payload } },
      });
    else if (bot.mode === 'poll')
      this.planned.poll.push({ ...event, botId: bot.id, payload, ...(head && { head }) });
    else if (bot.mode === 'webhook' && head)
      this.planned.pushes.push(...byInstallation(event, withData(head, payload), [bot]));
  }

  private takeChat(tx: Tx, record: OutboxRecord, event: ChatEvent): void {
    const { space_id: spaceId, event_id: eventId, event_type: eventType } = event;
    const bots = this.plans.of(spaceId);
    const matched = partOf(tx, record, bots.matching(event));
    const matching = matched.filter(({ eventFormat }) => eventFormat !== 'slack');
    for (const bot of matched)
      if (bot.eventFormat === 'slack')
        this.planned.untranslated.push({
          ...{ spaceId, bot, ...forSlack(bot), event: { chat: event } },
          conversationId: event.conversation.id,
        });
    const polling = matching.filter(({ mode }) => mode === 'poll');
    const payload = polling.length > 0 ? JSON.stringify(event.data) : '';
    const order = {
      head: polling.length > 0 ? chatEvents.headOf(event) : '',
      conversationId: event.conversation.id,
    };
    for (const { id } of polling)
      this.planned.poll.push({ spaceId, botId: id, eventId, eventType, payload, ...order });
    const pushed = matching.filter(({ mode }) => mode === 'webhook');
    if (pushed.length > 0)
      this.planned.pushes.push(
        ...byInstallation({ spaceId, eventId, eventType }, chatEvents.envelopeOf(event), pushed),
      );
    // The few bots of a direct conversation, with the first part.
    const streaming = record.cursor === undefined ? bots.streaming(event) : [];
    for (const id of streaming) this.planned.inbox.push(inboxEntry(event, id));
    const rows = matched.length + streaming.length;
    if (rows > 0) this.planned.rows.set(record.eventId, rows);
  }

  /** Adds the events for bots with Slack's format, in their order. */
  private async translate(tx: Tx): Promise<void> {
    const { untranslated, poll, pushes } = this.planned;
    if (untranslated.length === 0) return;
    const translated = await this.slackEvents.translate(tx, untranslated);
    for (const [at, { spaceId, bot, conversationId }] of untranslated.entries())
      for (const { head, payload, ...event } of translated[at] ?? [])
        if (bot.mode === 'poll')
          poll.push({
            ...{ spaceId, botId: bot.id, ...event, head, payload },
            ...(conversationId !== undefined && { conversationId }),
          });
        else pushes.push({ spaceId, ...event, body: Buffer.from(withData(head, payload)), bots: [bot] });
  }
}

/** Returns what translating an event needs to know about its bot. */
const forSlack = ({
  id,
  eventTypes,
  slackEvents = [],
}: BotPlan): Omit<BotEventForSlack, 'spaceId' | 'event'> => ({
  botId: id,
  isAssistant: eventTypes.includes('ASSISTANT_THREAD_STARTED'),
  subscriptions: slackEvents,
});

function inboxEntry(
  { space_id: spaceId, event_id: eventId, conversation, data }: ChatEvent,
  botId: string,
): NewDmInboxEntry {
  return {
    spaceId,
    botId,
    conversationId: conversation.id,
    messageId: (data as { message_id: string }).message_id,
    eventId,
  };
}
