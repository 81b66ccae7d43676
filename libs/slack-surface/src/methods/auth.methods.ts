import { Injectable } from '@nestjs/common';
import { findAppOfBot, RevokeToken } from '@tieline/apps';
import { findBot } from '@tieline/bots';
import { TOKEN_PREFIXES } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { PlatformSettings } from '@tieline/platform/config';
import { Db } from '@tieline/platform/database';
import { findSpace } from '@tieline/spaces';
import type { RestCall } from '../dispatcher/rest-call.js';
import { SlackError } from '../dispatcher/slack-error.js';
import type { MethodGroup, PublicCall, SlackCall } from '../dispatcher/slack-method.js';
import { slackId } from '../ids/slack-ids.js';
import { SLACK_PATH } from '../paths.js';

/** `api.*` and `auth.*`. */
@Injectable()
export class AuthMethods implements MethodGroup {
  readonly methods: MethodGroup['methods'] = [
    { name: 'api.test', isPublic: true, run: echo },
    { name: 'auth.revoke', scopes: [], arguments: { test: 'boolean' }, run: (call) => this.revoke(call) },
    {
      name: 'auth.teams.list',
      scopes: [],
      arguments: { limit: 'unused', cursor: 'unused', include_icon: 'unused' },
      run: (call) => this.teams(call),
    },
    { name: 'auth.test', scopes: [], arguments: {}, run: (call: SlackCall) => this.test(call) },
  ];

  constructor(
    private readonly db: Db,
    private readonly settings: PlatformSettings,
    private readonly revokeToken: RevokeToken,
  ) {}

  /** Revokes the token of the call, unless it is only a test. */
  private async revoke({ caller, token, address, args }: SlackCall): Promise<object> {
    if (args.flag('test')) return { revoked: false };
    if (caller.kind === 'bot') await this.revokeToken.ofBot(token, address());
    else if (token.startsWith(TOKEN_PREFIXES.appAccess)) await this.revokeToken.ofPerson(token);
    else throw new SlackError('not_allowed_token_type');
    return { revoked: true };
  }

  /** A token is valid in one space. */
  private async teams({ caller: { spaceId } }: SlackCall): Promise<object> {
    const { name } = await findSpace(this.db, spaceId);
    return { teams: [{ id: slackId('space', spaceId), name }], response_metadata: { next_cursor: '' } };
  }

  private async test({ caller, rest }: SlackCall): Promise<object> {
    const { spaceId } = caller;
    const space = await findSpace(this.db, spaceId);
    return {
      url: `${this.settings.publicUrl}${SLACK_PATH}`,
      team: space.name,
      team_id: slackId('space', spaceId),
      is_enterprise_install: false,
      ...(caller.kind === 'bot' ? await this.bot(caller) : await personOf(rest)),
    };
  }

  private async bot({ spaceId, botId }: BotPrincipal): Promise<object> {
    const bot = await findBot(this.db, spaceId, botId);
    const appId = await findAppOfBot(this.db, spaceId, botId);
    return {
      user: bot.displayName,
      user_id: slackId('user', botId),
      bot_id: slackId('bot', botId),
      ...(appId !== undefined && { app_id: slackId('app', appId) }),
    };
  }
}

async function personOf(rest: RestCall): Promise<object> {
  const { user } = await rest<{ user: { id: string; display_name: string } }>('GET', '/api/v1/client/me');
  return { user: user.display_name, user_id: slackId('user', user.id) };
}

/** Returns the arguments, and the error that they name. */
function echo({ given: { token: _token, ...args } }: PublicCall): object {
  if (typeof args['error'] === 'string' && args['error'] !== '')
    throw new SlackError(args['error'], { fields: { args } });
  return { args };
}
