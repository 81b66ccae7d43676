import { Injectable } from '@nestjs/common';
import { EditBotMessage, SendEphemeral } from '@tieline/bot-messages';
import { BotRates } from '@tieline/conversations';
import type { Place, MessageView, PlacedMessage } from '@tieline/conversations';
import type { BotPrincipal } from '@tieline/platform/http';
import { SlackError } from '../dispatcher/slack-error.js';
import { sideOf } from '../dispatcher/slack-method.js';
import type { MethodGroup, SlackCall } from '../dispatcher/slack-method.js';
import { conversationId, slackId, uuidOf } from '../ids/slack-ids.js';
import { CONTENT_ARGUMENTS, messageContent } from '../messages/message-content.js';
import type { MessageContent } from '../messages/message-content.js';
import { postAsPerson, warnAboutParts } from '../messages/post-as-person.js';
import { authorOf, PostAsBot } from '../messages/post-as-bot.js';
import { SlackPlaces } from '../messages/places.js';
import { tsOf } from '../ts/ts.js';

const POSTING = {
  ...CONTENT_ARGUMENTS,
  channel: 'text',
  thread_ts: 'text',
  username: 'text',
  icon_url: 'text',
  icon_emoji: 'dropped',
  reply_broadcast: 'dropped',
  as_user: 'unused',
} as const;
const CHAT_WRITE = ['chat:write'];

/** `chat.*`, except for streams. */
@Injectable()
export class ChatMethods implements MethodGroup {
  readonly methods: MethodGroup['methods'] = [
    {
      name: 'chat.postMessage',
      scopes: CHAT_WRITE,
      arguments: POSTING,
      run: (call) => this.post(call, messageContent(call.args, call.warn)),
    },
    {
      name: 'chat.meMessage',
      scopes: CHAT_WRITE,
      arguments: { channel: 'text', text: 'text' },
      run: (call) => this.postAction(call),
    },
    {
      name: 'chat.postEphemeral',
      scopes: CHAT_WRITE,
      arguments: { ...POSTING, user: 'text' },
      only: 'bot',
      errors: { user_not_found: 'user_not_in_channel' },
      run: (call) => this.postEphemeral(call),
    },
    {
      name: 'chat.update',
      scopes: CHAT_WRITE,
      arguments: {
        ...CONTENT_ARGUMENTS,
        channel: 'text',
        ts: 'text',
        file_ids: 'dropped',
        as_user: 'unused',
        reply_broadcast: 'dropped',
      },
      errors: { message_of_another_author: 'cant_update_message' },
      run: (call) => this.update(call),
    },
    {
      name: 'chat.delete',
      scopes: CHAT_WRITE,
      arguments: { channel: 'text', ts: 'text', as_user: 'unused' },
      errors: { message_of_another_author: 'cant_delete_message' },
      run: (call) => this.delete(call),
    },
    {
      name: 'chat.getPermalink',
      scopes: ['channels:history', 'groups:history', 'im:history', 'mpim:history'],
      arguments: { channel: 'text', message_ts: 'text' },
      run: (call) => this.permalink(call),
    },
  ];

  constructor(
    private readonly places: SlackPlaces,
    private readonly rates: BotRates,
    private readonly postAsBot: PostAsBot,
    private readonly editMessage: EditBotMessage,
    private readonly sendEphemeral: SendEphemeral,
  ) {}

  private async post(call: SlackCall, content: MessageContent): Promise<object> {
    const conversation = await this.places.conversation(call);
    const parentMessageId = await this.places.root(call, conversation);
    const posted =
      call.caller.kind === 'bot'
        ? await this.postAsBot.run(call, call.caller, { content, conversation, parentMessageId })
        : await postAsPerson(call, { content, conversation, parentMessageId });
    const ts = tsOf(posted.sentAt);
    return {
      channel: conversationId(conversation),
      ts,
      message: {
        type: 'message',
        ...authorOf(call),
        ...content.source,
        ts,
        team: slackId('space', conversation.spaceId),
        ...(parentMessageId !== undefined && { thread_ts: call.args.text('thread_ts') }),
      },
    };
  }

  private async postAction(call: SlackCall): Promise<object> {
    const text = call.args.required('text', 'no_text');
    const content = messageContent(call.args, call.warn);
    const italic = text
      .split('\n')
      .map((line) => (line.trim() === '' ? line : `_${line.trim()}_`))
      .join('\n');
    const { channel, ts } = (await this.post(call, { ...content, content: italic })) as {
      channel: string;
      ts: string;
    };
    return { channel, ts };
  }

  private async postEphemeral(call: SlackCall): Promise<object> {
    const { args, caller, warn } = call;
    const { content, metadata, sourceJson, hasElements } = messageContent(args, warn);
    const userId = uuidOf(args.required('user'), 'user');
    if (userId === undefined) throw new SlackError('user_not_in_channel');
    const conversation = await this.places.conversation(call);
    const placeId = await this.ephemeralPlace(call, conversation);
    const message = { conversationId: placeId, userId, content, metadata, sourceJson, hasElements };
    // The method is only for bots.
    const bot = caller as BotPrincipal;
    await this.rates.message(bot, placeId, () => this.sendEphemeral.run(bot, message, undefined));
    return { message_ts: tsOf(new Date().toISOString().replace('Z', '000000Z')) };
  }

  /** Returns the conversation of the thread that `thread_ts` names, or else that of the channel. */
  private async ephemeralPlace(call: SlackCall, conversation: Place): Promise<string> {
    if (call.args.text('thread_ts') === undefined) return conversation.id;
    const { threadId } = await this.places.threadRoot(call, conversation, 'thread_ts');
    if (threadId === undefined) call.warn('thread_ts: no replies yet, so it is shown in the channel');
    return threadId ?? conversation.id;
  }

  private async update(call: SlackCall): Promise<object> {
    const { args, caller, warn, rest } = call;
    const conversation = await this.places.conversation(call);
    const message = await this.places.message(call, conversation, 'ts');
    const content = messageContent(args, warn);
    if (caller.kind === 'user') warnAboutParts(content, warn);
    if (caller.kind === 'bot') await this.editAsBot(caller, message, content);
    else await rest('PATCH', `/api/v1/client/messages/${message.id}`, { body: { text: content.content } });
    const ts = args.text('ts');
    return {
      channel: conversationId(conversation),
      ts,
      text: content.source.text,
      message: { type: 'message', ...authorOf(call), ...content.source, ts },
    };
  }

  /** The same write as PATCH /bot/messages/{message_id}, with the same rates. */
  private async editAsBot(
    bot: BotPrincipal,
    { id, conversationId: place }: PlacedMessage,
    content: MessageContent,
  ): Promise<void> {
    await this.rates.message(bot, place, () => this.editMessage.run(bot, id, content));
  }

  private async delete(call: SlackCall): Promise<object> {
    const conversation = await this.places.conversation(call);
    const { id } = await this.places.message(call, conversation, 'ts');
    await call.rest('DELETE', `/api/v1/${sideOf(call.caller)}/messages/${id}`);
    return { channel: conversationId(conversation), ts: call.args.text('ts') };
  }

  private async permalink(call: SlackCall): Promise<object> {
    const conversation = await this.places.conversation(call);
    const { id } = await this.places.message(call, conversation, 'message_ts');
    const { message } = await call.rest<{ message: MessageView }>(
      'GET',
      `/api/v1/${sideOf(call.caller)}/messages/${id}`,
    );
    return { channel: conversationId(conversation), permalink: message.permalink };
  }
}
