import { Injectable } from '@nestjs/common';
import { SendBotMessage } from '@tieline/bot-messages';
import { BotRates } from '@tieline/conversations';
import type { Place } from '@tieline/conversations';
import { ConfirmFile, CreateUnboundFile } from '@tieline/files';
import { characters } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { Arguments } from '../dispatcher/arguments.js';
import { invalidArgument, SlackError } from '../dispatcher/slack-error.js';
import type { MethodGroup, SlackCall } from '../dispatcher/slack-method.js';
import { slackId, uuidOf } from '../ids/slack-ids.js';
import { messageContent } from '../messages/message-content.js';
import type { MessageContent } from '../messages/message-content.js';
import { SlackPlaces } from '../messages/places.js';
import { UploadTokens } from '../uploads/upload-tokens.js';

const SCOPES = ['files:write'];
/** Limits of Slack, and of a message here. */
const MAX_ALT_TEXT = 1000;
const MAX_FILES = 15;

/** A file that an upload has completed. */
interface CompletedFile {
  readonly uuid: string;
  readonly title: string | undefined;
}

/** `files.*` for uploads: an address for the bytes, and the message that gets the files. */
@Injectable()
export class FileUploadMethods implements MethodGroup {
  readonly methods: MethodGroup['methods'] = [
    {
      name: 'files.getUploadURLExternal',
      scopes: SCOPES,
      only: 'bot',
      arguments: {
        filename: 'text',
        length: 'number',
        alt_text: 'text',
        alt_txt: 'text',
        snippet_type: 'dropped',
      },
      errors: { file_too_large: 'file_upload_size_restricted', limit_reached: 'storage_limit_reached' },
      run: (call) => this.start(call),
    },
    {
      name: 'files.completeUploadExternal',
      scopes: SCOPES,
      only: 'bot',
      arguments: {
        files: 'json',
        channel_id: 'text',
        channels: 'text',
        thread_ts: 'text',
        initial_comment: 'text',
        blocks: 'json',
      },
      errors: { file_not_uploaded: 'file_not_found' },
      run: (call) => this.complete(call),
    },
  ];

  constructor(
    private readonly places: SlackPlaces,
    private readonly rates: BotRates,
    private readonly tokens: UploadTokens,
    private readonly createFile: CreateUnboundFile,
    private readonly confirmFile: ConfirmFile,
    private readonly sendMessage: SendBotMessage,
  ) {}

  private async start(call: SlackCall): Promise<object> {
    const { args, warn } = call;
    const bot = botOf(call);
    const fileName = args.text('filename');
    if (fileName === undefined) throw missing('filename');
    const fileSize = args.number('length') ?? 0;
    if (fileSize === 0) throw missing('length');
    const altText = args.text('alt_text') ?? args.text('alt_txt') ?? '';
    if (characters(altText) > MAX_ALT_TEXT) throw new SlackError('alt_txt_too_large');
    if (altText !== '') warn('argument without effect: alt_text');
    const { file, expiresAt } = await this.rates.write(bot, () =>
      this.createFile.run(bot, { fileName, fileSize }),
    );
    const { spaceId, id } = file;
    return { upload_url: this.tokens.urlOf({ spaceId, id, expiresAt }), file_id: slackId('file', id) };
  }

  /** Confirms all files, then posts them. Nothing is posted if one of them is not there. */
  private async complete(call: SlackCall): Promise<object> {
    const bot = botOf(call);
    const files = filesIn(call.args.json('files'));
    const conversation = await this.placeOf(call);
    const content = commentOf(call);
    const parentMessageId = conversation && (await this.places.root(call, conversation));
    const work = async (): Promise<object> => {
      const completed: object[] = [];
      for (const file of files) completed.push(await this.confirm(bot, file));
      if (conversation) await this.post(bot, { conversation, content, parentMessageId, files });
      return { files: completed };
    };
    return conversation ? this.rates.message(bot, conversation.id, work) : this.rates.write(bot, work);
  }

  private async confirm(bot: BotPrincipal, { uuid, title }: CompletedFile): Promise<object> {
    const { fileName } = await this.confirmFile.run(bot, { fileId: uuid, conversationId: undefined });
    return { id: slackId('file', uuid), title: title ?? fileName };
  }

  /** The same write as POST /bot/messages. */
  private async post(
    bot: BotPrincipal,
    message: {
      conversation: Place;
      parentMessageId: string | undefined;
      content: MessageContent | undefined;
      files: readonly CompletedFile[];
    },
  ): Promise<void> {
    const { conversation, content, parentMessageId, files } = message;
    const { source: _source, ...stored } = content ?? { content: '', metadata: undefined, source: undefined };
    await this.sendMessage.run(
      bot,
      {
        ...stored,
        conversationId: conversation.id,
        parentMessageId,
        ...{ displayName: undefined, displayAvatarUrl: undefined },
        fileIds: files.map(({ uuid }) => uuid),
      },
      undefined,
    );
  }

  /** Returns the conversation that gets the files, if one is named. */
  private async placeOf(call: SlackCall): Promise<Place | undefined> {
    const { args } = call;
    if (args.text('channel_id') !== undefined) return this.places.conversation(call, 'channel_id');
    if (args.text('channels')?.includes(','))
      throw new SlackError('channels_limit_exceeded', {
        messages: ['[ERROR] a file can be shared in one channel'],
      });
    if (args.text('channels') !== undefined) return this.places.conversation(call, 'channels');
    for (const name of ['thread_ts', 'initial_comment'])
      if (args.text(name) !== undefined) throw invalidArgument(`${name} needs channel_id`);
    return undefined;
  }
}

const missing = (name: string): SlackError =>
  new SlackError('missing_argument', { messages: [`[ERROR] missing required field: ${name}`] });

function botOf({ caller }: SlackCall): BotPrincipal {
  if (caller.kind !== 'bot') throw new SlackError('not_allowed_token_type');
  return caller;
}

/** Reads the list of files. @throws SlackError */
function filesIn(list: unknown): CompletedFile[] {
  if (!Array.isArray(list) || list.length === 0)
    throw invalidArgument('files must be a list of objects with an id');
  if (list.length > MAX_FILES) throw invalidArgument(`files: no more than ${MAX_FILES} items allowed`);
  const files = list.map(fileIn);
  if (new Set(files.map(({ uuid }) => uuid)).size < files.length)
    throw invalidArgument('files: a file is named twice');
  return files;
}

function fileIn(item: unknown): CompletedFile {
  const { id, title } = (item ?? {}) as Record<string, unknown>;
  if (typeof id !== 'string') throw invalidArgument('files must be a list of objects with an id');
  const uuid = uuidOf(id, 'file');
  if (uuid === undefined) throw new SlackError('file_not_found');
  return { uuid, title: typeof title === 'string' && title !== '' ? title : undefined };
}

/** Returns the text or the blocks that introduce the files. As in Slack, the text wins. */
function commentOf({ args, warn }: SlackCall): MessageContent | undefined {
  const text = args.text('initial_comment');
  const blocks = args.json('blocks');
  if (text === undefined && blocks === undefined) return undefined;
  if (text !== undefined && blocks !== undefined) warn('blocks: left out, there is an initial_comment');
  const given = text === undefined ? { blocks } : { text };
  return messageContent(Arguments.of({ text: 'text', blocks: 'json' }, given, warn), warn);
}
