import { Injectable } from '@nestjs/common';
import { findMessage } from '@tieline/conversations';
import type { Place, Message } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import type { ArgumentKinds, Arguments } from '../dispatcher/arguments.js';
import { invalidArgument, SlackError } from '../dispatcher/slack-error.js';
import type { MethodGroup, SlackCall } from '../dispatcher/slack-method.js';
import { conversationId, slackId } from '../ids/slack-ids.js';
import type { MessageContent } from '../messages/message-content.js';
import { SlackPlaces } from '../messages/places.js';
import { authorOf, PostAsBot } from '../messages/post-as-bot.js';
import { sessionStatusOf, setSessionStatus } from '../sessions/session-status.js';
import { MessageStreams, notStreaming } from '../streams/message-streams.js';
import { RUN_ERRORS, RunStreams } from '../streams/run-streams.js';
import { CHUNK_ARGUMENTS, chunksIn } from '../streams/stream-chunks.js';
import type { StreamChunk } from '../streams/stream-chunks.js';
import { added, emptyStream } from '../streams/stream-content.js';
import type { StreamContent } from '../streams/stream-content.js';
import { streamMessage } from '../streams/stream-message.js';
import type { StreamEnd } from '../streams/stream-message.js';
import { StreamPlaces } from '../streams/stream-places.js';
import { tsOf } from '../ts/ts.js';

const STREAMED = { channel: 'text', ts: 'text', ...CHUNK_ARGUMENTS } as const satisfies ArgumentKinds;
const METHOD = { scopes: ['chat:write'], only: 'bot', errors: RUN_ERRORS } as const;

/** A streamed message and its conversation. */
interface Stream {
  readonly conversation: Place;
  readonly message: Message;
  readonly rootId: string | null;
}

/** `chat.*` for messages that are sent piece by piece. */
@Injectable()
export class StreamMethods implements MethodGroup {
  readonly methods: MethodGroup['methods'] = [
    {
      ...METHOD,
      name: 'chat.startStream',
      arguments: {
        ...CHUNK_ARGUMENTS,
        channel: 'text',
        thread_ts: 'text',
        recipient_user_id: 'text',
        recipient_team_id: 'text',
        task_display_mode: 'text',
        username: 'text',
        icon_url: 'text',
        icon_emoji: 'dropped',
      },
      run: (call: SlackCall) => this.start(call),
    },
    {
      ...METHOD,
      name: 'chat.appendStream',
      arguments: STREAMED,
      run: (call: SlackCall) => this.append(call),
    },
    {
      ...METHOD,
      name: 'chat.stopStream',
      arguments: { ...STREAMED, blocks: 'json', metadata: 'json', session_status: 'text' },
      run: (call: SlackCall) => this.stop(call),
    },
  ];

  constructor(
    private readonly db: Db,
    private readonly places: SlackPlaces,
    private readonly streamPlaces: StreamPlaces,
    private readonly runs: RunStreams,
    private readonly messages: MessageStreams,
    private readonly postAsBot: PostAsBot,
  ) {}

  private async start(call: SlackCall): Promise<object> {
    const { args, caller } = call;
    const content = added(emptyStream(modeIn(args)), chunksIn(args));
    const conversation = await this.places.conversation(call);
    const recipient = this.streamPlaces.recipient(call, conversation);
    const rootId = await this.places.root(call, conversation);
    const triggerId = this.runs.fits(content)
      ? await this.streamPlaces.trigger(call, conversation, { rootId, recipient })
      : undefined;
    const channel = conversationId(conversation);
    if (triggerId === undefined) {
      const message = { content: streamMessage(content, call.warn), conversation, parentMessageId: rootId };
      const { sentAt } = await this.postAsBot.run(call, caller as BotPrincipal, message);
      return { channel, ts: tsOf(sentAt) };
    }
    for (const name of ['username', 'icon_url'])
      if (args.text(name) !== undefined) call.warn(`${name}: not shown on streams that people can stop`);
    const place = { conversation, parentMessageId: rootId, triggerId };
    const message = await findMessage(this.db, caller.spaceId, await this.runs.start(call, place, content));
    return { channel, ts: tsOf(message?.sentAt ?? '') };
  }

  private async append(call: SlackCall): Promise<object> {
    const { args, caller, warn } = call;
    const chunks = chunksIn(args);
    if (chunks.length === 0) throw new SlackError('no_text');
    const { conversation, message } = await this.stream(call);
    const run = await this.runs.runOf(call, message);
    const whole = run && (await this.runs.append(call, run, chunks));
    if (!run || whole)
      await this.messages.edit(caller as BotPrincipal, message, (content) =>
        streamMessage(whole ?? grown(content, chunks), warn),
      );
    return { channel: conversationId(conversation), ts: args.text('ts') };
  }

  private async stop(call: SlackCall): Promise<object> {
    const { args, caller, warn } = call;
    const chunks = chunksIn(args);
    const end = endIn(call);
    const given = args.text('session_status');
    const status = given === undefined ? undefined : sessionStatusOf(given);
    const stream = await this.stream(call);
    const run = await this.runs.runOf(call, stream.message);
    const whole = run && (await this.runs.end(call, run, chunks));
    const isShown = whole && this.runs.fits(whole) && end.blocks.length === 0 && end.metadata === undefined;
    const content = isShown
      ? streamMessage(whole, warn, end)
      : await this.messages.edit(caller as BotPrincipal, stream.message, (before) =>
          streamMessage(whole ?? grown(before, chunks), warn, end),
        );
    if (status !== undefined) await setSessionStatus(call, stream, status);
    return this.stopped(call, stream, content);
  }

  private async stopped(
    call: SlackCall,
    { conversation, rootId }: Stream,
    { source }: MessageContent,
  ): Promise<object> {
    const root = rootId === null ? undefined : await findMessage(this.db, conversation.spaceId, rootId);
    const [channel, ts] = [conversationId(conversation), call.args.text('ts')];
    return {
      channel,
      ts,
      message: {
        type: 'message',
        ...authorOf(call),
        ...source,
        ts,
        team: slackId('space', conversation.spaceId),
        ...(root && { thread_ts: tsOf(root.sentAt) }),
      },
    };
  }

  /** @throws SlackError unless the message is the caller's */
  private async stream(call: SlackCall): Promise<Stream> {
    const { spaceId } = call.caller;
    const conversation = await this.places.conversation(call);
    const { id, rootMessageId: rootId } = await this.places.message(call, conversation, 'ts');
    const message = await findMessage(this.db, spaceId, id);
    if (!message || message.deletedAt !== null) throw new SlackError('message_not_found');
    if (message.authorId !== (call.caller as BotPrincipal).botId)
      throw new SlackError('message_not_owned_by_app');
    return { conversation, message, rootId };
  }
}

function grown(content: StreamContent | undefined, chunks: readonly StreamChunk[]): StreamContent {
  if (!content) throw notStreaming();
  return added(content, chunks);
}

function modeIn(args: Arguments): StreamContent['mode'] {
  const mode = args.text('task_display_mode');
  if (mode === undefined || mode === 'timeline' || mode === 'plan') return mode ?? 'timeline';
  throw invalidArgument('task_display_mode must be plan or timeline');
}

/** @throws SlackError for blocks and metadata that a message cannot have */
function endIn({ args }: SlackCall): StreamEnd {
  const blocks = args.json('blocks') ?? [];
  if (!Array.isArray(blocks)) throw new SlackError('invalid_blocks_format');
  const end = { blocks, metadata: args.json('metadata') };
  // Refuses what a message cannot have before anything is changed.
  streamMessage(emptyStream(), () => undefined, end);
  return end;
}
