import { Injectable } from '@nestjs/common';
import { refusedAppToken } from '@tieline/apps';
import { refusedBotToken } from '@tieline/bots';
import { Db } from '@tieline/platform/database';
import { TOKEN_PREFIXES, TokenResolvers } from '@tieline/platform/http';
import { isAppToken, ownToken } from '../tokens/token-spellings.js';
import { SlackError } from './slack-error.js';
import type { SlackCaller } from './slack-method.js';

/** A caller and its token in Tieline's spelling. */
export interface IdentifiedCaller {
  readonly caller: SlackCaller;
  readonly token: string;
}

/** Finds the callers of methods. */
@Injectable()
export class SlackCallers {
  constructor(
    private readonly db: Db,
    private readonly resolvers: TokenResolvers,
  ) {}

  /**
   * Returns the caller with this token in either spelling.
   * @param isAppLevel whether the method takes an app-level token, and no other
   * @throws SlackError `not_authed` without a token, `not_allowed_token_type` for one of another
   * kind, `account_inactive` or `token_expired` for one that was valid, `invalid_auth` otherwise
   */
  async identify(given: string | undefined, isAppLevel = false): Promise<IdentifiedCaller> {
    if (given === undefined || given === '') throw new SlackError('not_authed');
    if (isAppToken(given) !== isAppLevel) throw new SlackError('not_allowed_token_type');
    const token = ownToken(given);
    const caller = await this.resolvers.resolve(token);
    if (caller?.kind === 'bot' || caller?.kind === 'user') return { caller, token };
    throw new SlackError(caller ? 'not_allowed_token_type' : await this.reasonOf(token));
  }

  private async reasonOf(token: string): Promise<string> {
    const reason = token.startsWith(TOKEN_PREFIXES.bot)
      ? await refusedBotToken(this.db, token)
      : token.startsWith(TOKEN_PREFIXES.appAccess)
        ? await refusedAppToken(this.db, token)
        : 'unknown';
    return REASONS[reason];
  }
}

const REASONS = {
  unknown: 'invalid_auth',
  inactive: 'account_inactive',
  expired: 'token_expired',
} as const;
