import { Injectable } from '@nestjs/common';
import { chatAccess, findConversation } from '@tieline/conversations';
import type { Conversation, MessageView } from '@tieline/conversations';
import { Db, unprepared } from '@tieline/platform/database';
import { hasScope } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { invalidArgument, SlackError } from '../dispatcher/slack-error.js';
import type { MethodGroup, SlackCall } from '../dispatcher/slack-method.js';
import { DeleteFile } from '../files/delete-file.js';
import { FIND_STORED_FILE, LIST_STORED_FILES } from '../files/stored-files.statements.js';
import type { StoredFileRow } from '../files/stored-files.statements.js';
import { conversationId, slackId, uuidOf } from '../ids/slack-ids.js';
import { SlackPlaces } from '../messages/places.js';
import { momentOf, secondsOf } from '../ts/ts.js';

/** Files of the space that a list looks at, newest first. */
const WINDOW = 10_000;
const DEFAULT_COUNT = 100;
const MAX_COUNT = 200;
/** The REST API names no code in errors of files. */
const ERRORS = { not_found: 'file_not_found', bad_request: 'file_not_ready' } as const;

/** `files.*` for files that are stored. */
@Injectable()
export class StoredFileMethods implements MethodGroup {
  readonly methods: MethodGroup['methods'] = [
    {
      name: 'files.info',
      scopes: ['files:read'],
      only: 'bot',
      errors: ERRORS,
      arguments: { file: 'text', ...{ count: 'unused', page: 'unused', limit: 'unused', cursor: 'unused' } },
      run: (call: SlackCall) => this.info(call),
    },
    {
      name: 'files.list',
      scopes: ['files:read'],
      only: 'bot',
      arguments: {
        channel: 'text',
        user: 'text',
        ts_from: 'text',
        ts_to: 'text',
        count: 'number',
        page: 'number',
        types: 'dropped',
        show_files_hidden_by_limit: 'unused',
      },
      run: (call: SlackCall) => this.list(call),
    },
    {
      name: 'files.delete',
      scopes: ['files:write'],
      only: 'bot',
      arguments: { file: 'text' },
      run: (call: SlackCall) => this.delete(call),
    },
  ];

  constructor(
    private readonly db: Db,
    private readonly places: SlackPlaces,
    private readonly deleteFile: DeleteFile,
  ) {}

  private async info(call: SlackCall): Promise<object> {
    const file = await this.find(call);
    const link = await linkTo(call, file);
    const shown = fileObject(file, await this.place(call, file));
    const permalink = await permalinkOf(call, file);
    return {
      file: {
        ...shown,
        ...(link !== undefined && { url_private: link, url_private_download: link }),
        ...(permalink !== undefined && { permalink }),
      },
      comments: [],
    };
  }

  private async list(call: SlackCall): Promise<object> {
    const { args } = call;
    const bot = call.caller as BotPrincipal;
    const count = Math.min(numberIn(call, 'count', DEFAULT_COUNT), MAX_COUNT);
    const page = Math.min(numberIn(call, 'page', 1), WINDOW);
    const conversation =
      args.text('channel') === undefined ? undefined : await this.places.conversation(call);
    const access = conversation && (await chatAccess.reading(this.db, bot, conversation.id));
    const user = args.text('user');
    const author = user === undefined ? undefined : uuidOf(user, 'user', 'bot');
    if (user !== undefined && author === undefined) throw new SlackError('user_not_found');
    const rows = await this.db.query(unprepared(LIST_STORED_FILES), {
      spaceId: bot.spaceId,
      botId: bot.botId,
      conversationId: conversation?.id ?? null,
      isReadable: access !== undefined && access.mayRead && access.isMember,
      author: author ?? null,
      since: timeIn(call, 'ts_from'),
      until: timeIn(call, 'ts_to'),
      window: WINDOW,
      offset: (page - 1) * count,
      limit: count,
    });
    const places = new Map<string | null, Conversation | undefined>();
    for (const file of rows)
      if (!places.has(file.conversationId)) places.set(file.conversationId, await this.place(call, file));
    const total = rows[0]?.total ?? 0;
    return {
      files: rows.map((file) => fileObject(file, places.get(file.conversationId))),
      paging: { count, total, page, pages: Math.ceil(total / count) },
    };
  }

  private async delete(call: SlackCall): Promise<object> {
    const bot = call.caller as BotPrincipal;
    const file = await this.find(call);
    if (file.botId !== bot.botId) throw new SlackError('file_not_found');
    await this.deleteFile.run(bot, file);
    return {};
  }

  private async find({ args, caller }: SlackCall): Promise<StoredFileRow> {
    const id = uuidOf(args.required('file'), 'file');
    const [file] = id === undefined ? [] : await this.db.query(FIND_STORED_FILE, [caller.spaceId, id]);
    if (!file) throw new SlackError('file_not_found');
    return file;
  }

  /** Returns the channel or direct chat of a file. */
  private async place({ caller }: SlackCall, file: StoredFileRow): Promise<Conversation | undefined> {
    if (file.conversationId === null) return undefined;
    const found = await findConversation(this.db, caller.spaceId, file.conversationId);
    return found && found.rootMessageId !== null
      ? findConversation(this.db, caller.spaceId, found.channelId)
      : found;
  }
}

/**
 * Returns a link to the bytes. There is none before the file is sent, and only the bot that uploads
 * it sees it then.
 */
async function linkTo(
  { caller, rest }: SlackCall,
  { id, botId, conversationId, status }: StoredFileRow,
): Promise<string | undefined> {
  if (conversationId === null) {
    if (botId !== (caller as BotPrincipal).botId) throw new SlackError('file_not_found');
    if (status !== 'ready') throw new SlackError('file_not_ready');
    return undefined;
  }
  const path = `/api/v1/bot/files/${id}/download_url`;
  const answer = await rest<{ download_url: string }>('GET', path, {
    query: { conversation_id: conversationId },
  });
  return answer.download_url;
}

/** Returns the address of the message that a file was sent with, if the token may read it. */
async function permalinkOf(call: SlackCall, { messageId }: StoredFileRow): Promise<string | undefined> {
  if (messageId === null || !hasScope(call.caller.scopes, 'messages:read')) return undefined;
  const { message } = await call.rest<{ message: MessageView }>('GET', `/api/v1/bot/messages/${messageId}`);
  return message.permalink;
}

/** Returns a file in Slack's form. */
function fileObject(file: StoredFileRow, place: Conversation | undefined): object {
  const created = secondsOf(file.createdAt.toISOString());
  const channels = place && file.messageId !== null ? [conversationId(place)] : [];
  const isIn = (scope: Conversation['scope']): string[] => (place?.scope === scope ? channels : []);
  const extension = /\.(\w{1,16})$/.exec(file.fileName)?.[1]?.toLowerCase() ?? '';
  return {
    id: slackId('file', file.id),
    created,
    timestamp: created,
    name: file.fileName,
    title: file.fileName,
    mimetype: file.mimeType,
    filetype: extension,
    pretty_type: extension.toUpperCase(),
    user: slackId('user', file.botId ?? file.userId ?? file.id),
    size: file.fileSize,
    mode: 'hosted',
    is_external: false,
    is_public: isIn('public').length > 0,
    ...(file.width > 0 && { original_w: file.width, original_h: file.height }),
    channels: isIn('public'),
    groups: isIn('private'),
    ims: isIn('dm'),
  };
}

function numberIn({ args }: SlackCall, name: string, fallback: number): number {
  const number = args.number(name) ?? fallback;
  if (number < 1) throw invalidArgument(`${name} must be at least 1`);
  return number;
}

function timeIn({ args }: SlackCall, name: string): Date | null {
  const text = args.text(name);
  if (text === undefined) return null;
  const moment = momentOf(text);
  if (moment === undefined) throw invalidArgument(`${name} must be a time in seconds since 1970`);
  return new Date(moment);
}
