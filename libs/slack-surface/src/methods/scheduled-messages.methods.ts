import { Injectable } from '@nestjs/common';
import { parseScheduledMessage, ScheduleMessage } from '@tieline/bot-messages';
import { BotRates, findConversation } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { invalidArgument } from '../dispatcher/slack-error.js';
import type { MethodGroup, SlackCall } from '../dispatcher/slack-method.js';
import { conversationId } from '../ids/slack-ids.js';
import { CONTENT_ARGUMENTS, messageContent } from '../messages/message-content.js';
import { SlackPlaces } from '../messages/places.js';
import { secondsOf } from '../ts/ts.js';

const PATH = '/api/v1/bot/scheduled_messages';
const SCOPES = ['chat:write'];
const ERRORS = { scheduled_message_not_found: 'invalid_scheduled_message_id' };

interface Scheduled {
  id: string;
  conversation_id: string;
  content: string;
  post_at: string;
  created_at: string;
}

/** `chat.*` for messages that are posted later. */
@Injectable()
export class ScheduledMessageMethods implements MethodGroup {
  readonly methods: MethodGroup['methods'] = [
    {
      name: 'chat.scheduleMessage',
      scopes: SCOPES,
      only: 'bot',
      arguments: { ...CONTENT_ARGUMENTS, channel: 'text', post_at: 'number', thread_ts: 'text' },
      errors: { time_in_past: 'time_in_past', time_too_far: 'time_too_far' },
      run: (call: SlackCall) => this.schedule(call),
    },
    {
      name: 'chat.deleteScheduledMessage',
      scopes: SCOPES,
      only: 'bot',
      arguments: { channel: 'text', scheduled_message_id: 'text' },
      errors: { ...ERRORS, not_found: 'invalid_scheduled_message_id' },
      run: (call: SlackCall) => this.delete(call),
    },
    {
      name: 'chat.scheduledMessages.list',
      scopes: SCOPES,
      only: 'bot',
      arguments: { channel: 'text', cursor: 'text', limit: 'number', latest: 'dropped', oldest: 'dropped' },
      run: (call: SlackCall) => this.list(call),
    },
  ];

  constructor(
    private readonly db: Db,
    private readonly places: SlackPlaces,
    private readonly rates: BotRates,
    private readonly scheduleMessage: ScheduleMessage,
  ) {}

  private async schedule(call: SlackCall): Promise<object> {
    const seconds = call.args.number('post_at');
    if (seconds === undefined || seconds < 0 || seconds > 9_999_999_999)
      throw invalidArgument('post_at must be a time in seconds since 1970');
    const { content, metadata, textDerived, sourceJson } = messageContent(call.args, call.warn);
    const place = await this.places.conversation(call);
    const root = await this.places.root(call, place);
    const { message, postAt } = parseScheduledMessage({
      conversation_id: place.id,
      content,
      post_at: new Date(seconds * 1000).toISOString(),
      ...(root !== undefined && { parent_message_id: root }),
      ...(metadata && { metadata_json: metadata.json }),
    });
    // The method is only for bots.
    const bot = call.caller as BotPrincipal;
    const sent = { message: { ...message, textDerived, sourceJson }, postAt };
    const request = { operation: 'schedule', key: undefined, meaning: undefined } as const;
    const scheduled = await this.rates.write(bot, () => this.scheduleMessage.run(bot, sent, request));
    return {
      channel: conversationId(place),
      scheduled_message_id: scheduled.id,
      post_at: secondsOf(scheduled.post_at),
      message: { type: 'delayed_message', text: scheduled.content },
    };
  }

  private async delete(call: SlackCall): Promise<object> {
    const id = call.args.required('scheduled_message_id', 'invalid_scheduled_message_id');
    await call.rest('DELETE', `${PATH}/${encodeURIComponent(id)}`);
    return {};
  }

  private async list(call: SlackCall): Promise<object> {
    const { args, caller, rest } = call;
    const place = args.text('channel') === undefined ? undefined : await this.places.conversation(call);
    const query = {
      limit: String(args.number('limit') ?? 100),
      cursor: args.text('cursor') ?? '',
      ...(place && { conversation_id: place.id }),
    };
    const page = await rest<{ scheduled_messages: (Scheduled & { state: string })[]; next_cursor: string }>(
      'GET',
      PATH,
      { query },
    );
    const pending = page.scheduled_messages.filter(({ state }) => state === 'scheduled');
    const channels = new Map<string, string>();
    for (const id of new Set(pending.map(({ conversation_id: of }) => of))) {
      const found = await findConversation(this.db, caller.spaceId, id);
      if (found) channels.set(id, conversationId(found));
    }
    return {
      scheduled_messages: pending.map((one) => ({
        id: one.id,
        channel_id: channels.get(one.conversation_id),
        post_at: secondsOf(one.post_at),
        date_created: secondsOf(one.created_at),
        text: one.content,
      })),
      response_metadata: { next_cursor: page.next_cursor },
    };
  }
}
