import { Injectable } from '@nestjs/common';
import { findAppOfBot } from '@tieline/apps';
import { findBot } from '@tieline/bots';
import { peopleOnline } from '@tieline/notifications';
import { PlatformSettings } from '@tieline/platform/config';
import { Db } from '@tieline/platform/database';
import { ApiError } from '@tieline/platform/http';
import { findPerson, findPersonByEmail, findSpace, listPeople } from '@tieline/spaces';
import { SlackError } from '../dispatcher/slack-error.js';
import type { MethodGroup, SlackCall, SlackCaller } from '../dispatcher/slack-method.js';
import { slackId, uuidOf } from '../ids/slack-ids.js';
import { restCursor, slackCursor } from '../messages/cursors.js';
import { limitOf } from '../messages/message-lists.js';
import { selfOf } from './conversations.methods.js';
import { botUser, personUser } from './slack-user.js';

const USERS_READ = ['users:read'];

/** `users.*`, `bots.info` and `team.info`. */
@Injectable()
export class UsersMethods implements MethodGroup {
  readonly methods: MethodGroup['methods'] = [
    {
      name: 'users.info',
      scopes: USERS_READ,
      arguments: { user: 'text', include_locale: 'unused' },
      run: async (call) => ({ user: await this.user(call, call.args.required('user', 'user_not_found')) }),
    },
    {
      name: 'users.list',
      scopes: USERS_READ,
      arguments: { limit: 'number', cursor: 'text', include_locale: 'unused' },
      run: (call) => this.list(call),
    },
    {
      name: 'users.lookupByEmail',
      scopes: ['users:read.email'],
      arguments: { email: 'text' },
      only: 'bot',
      errors: { not_found: 'users_not_found' },
      run: (call) => this.lookUp(call),
    },
    {
      name: 'users.profile.get',
      scopes: USERS_READ,
      arguments: { user: 'text', include_labels: 'unused' },
      run: async (call) => ({ profile: (await this.user(call, userOrSelf(call)))['profile'] }),
    },
    {
      name: 'users.getPresence',
      scopes: USERS_READ,
      arguments: { user: 'text' },
      run: (call) => this.presence(call),
    },
    { name: 'bots.info', scopes: USERS_READ, arguments: { bot: 'text' }, run: (call) => this.bot(call) },
    {
      name: 'team.info',
      scopes: [],
      arguments: { team: 'unused', domain: 'unused' },
      run: (call) => this.team(call),
    },
  ];

  constructor(
    private readonly db: Db,
    private readonly settings: PlatformSettings,
  ) {}

  private async user({ caller }: SlackCall, given: string): Promise<Record<string, unknown>> {
    const id = uuidOf(given, 'user');
    if (id === undefined) throw userNotFound();
    const { spaceId } = caller;
    const person = await orNone(findPerson(this.db, viewer(caller), id));
    if (person) return personUser(person, spaceId);
    const bot = await orNone(findBot(this.db, spaceId, id));
    if (!bot) throw userNotFound();
    return botUser(bot, await findAppOfBot(this.db, spaceId, id));
  }

  private async list(call: SlackCall): Promise<object> {
    const { args, caller } = call;
    const page = { limit: limitOf(call), cursor: restCursor(args.text('cursor')) };
    const { rows, nextCursor } = await listPeople(this.db, viewer(caller), page);
    return {
      members: rows.map((person) => personUser(person, caller.spaceId)),
      cache_ts: Math.floor(Date.now() / 1000),
      response_metadata: { next_cursor: slackCursor(nextCursor) },
    };
  }

  private async lookUp({ args, caller }: SlackCall): Promise<object> {
    const email = args.required('email', 'users_not_found');
    if (caller.kind !== 'bot') throw new SlackError('not_allowed_token_type');
    return { user: personUser(await findPersonByEmail(this.db, caller, email), caller.spaceId) };
  }

  private async presence(call: SlackCall): Promise<object> {
    const given = userOrSelf(call);
    await this.user(call, given);
    const id = uuidOf(given, 'user') as string;
    const online = await peopleOnline(this.db, call.caller.spaceId, [id]);
    return { presence: online.has(id) ? 'active' : 'away' };
  }

  private async bot({ args, caller }: SlackCall): Promise<object> {
    const given = args.text('bot');
    const own = caller.kind === 'bot' ? caller.botId : undefined;
    const id = given === undefined ? own : uuidOf(given, 'bot');
    const bot = id === undefined ? undefined : await orNone(findBot(this.db, caller.spaceId, id));
    if (!bot) throw new SlackError('bot_not_found');
    const appId = await findAppOfBot(this.db, caller.spaceId, bot.id);
    return {
      bot: {
        id: slackId('bot', bot.id),
        deleted: !bot.isActive,
        name: bot.displayName,
        user_id: slackId('user', bot.id),
        ...(appId !== undefined && { app_id: slackId('app', appId) }),
        icons:
          bot.avatarUrl === ''
            ? {}
            : { image_36: bot.avatarUrl, image_48: bot.avatarUrl, image_72: bot.avatarUrl },
      },
    };
  }

  private async team({ caller }: SlackCall): Promise<object> {
    const { id, name } = await findSpace(this.db, caller.spaceId);
    const { hostname, origin } = new URL(this.settings.publicUrl);
    return {
      team: { id: slackId('space', id), name, domain: hostname, url: origin, email_domain: '', icon: {} },
    };
  }
}

/** People never see addresses with the token of an app. */
const viewer = ({ kind, spaceId, scopes }: SlackCaller) => ({
  spaceId,
  scopes: kind === 'bot' ? scopes : new Set<never>(),
});

const userOrSelf = ({ args, caller }: SlackCall): string =>
  args.text('user') ?? slackId('user', selfOf(caller));

const userNotFound = (): SlackError => new SlackError('user_not_found');

/** Turns a 404 into undefined. */
async function orNone<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
