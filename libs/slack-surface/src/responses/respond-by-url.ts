import { Injectable } from '@nestjs/common';
import { BotRates } from '@tieline/conversations';
import { requireSubject, RespondLate, ResponseTokens } from '@tieline/interactive';
import { Db } from '@tieline/platform/database';
import { ApiError, isScope, notFound } from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { uuidOf } from '../ids/slack-ids.js';
import { FIND_ANSWERING_BOT } from './response-bots.statements.js';
import { readResponse } from './response-body.js';

/** Slack's names of the errors of a `response_url`, by the code here. */
const NAMES: Readonly<Record<string, string>> = {
  response_expired: 'expired_url',
  response_used_up: 'used_url',
  response_not_found: 'invalid_url',
  no_original: 'message_not_found',
};

/** The outcome for the app. */
export interface UrlAnswer {
  status: number;
  error?: string;
  retryAfter?: string;
}

/**
 * Takes answers at a `response_url`. The token in the address is the permission: it names the bot,
 * and the rights, rates and limits are those of its late answers (docs/slack-apps.md#response_url).
 */
@Injectable()
export class RespondByUrl {
  constructor(
    private readonly db: Db,
    private readonly tokens: ResponseTokens,
    private readonly rates: BotRates,
    private readonly respondLate: RespondLate,
  ) {}

  async run(team: string, token: string, body: Readonly<Record<string, unknown>>): Promise<UrlAnswer> {
    try {
      const read = readResponse(body);
      if ('error' in read) return { status: 400, error: read.error };
      const bot = await this.botOf(team, token);
      const subject = requireSubject(this.tokens, bot, token);
      const request = { subject, body, answer: read.answer, key: undefined };
      await this.rates.message(bot, subject.conversationId, () => this.respondLate.run(bot, request));
      return { status: 200 };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return refusalOf(error);
    }
  }

  private async botOf(team: string, token: string): Promise<BotPrincipal> {
    const spaceId = uuidOf(team, 'space');
    const subject = spaceId === undefined ? undefined : this.tokens.read(spaceId, token);
    if (spaceId === undefined || !subject) throw notFound('response_not_found', 'response token not found');
    const { botId } = subject;
    const [bot] = await this.db.query(FIND_ANSWERING_BOT, [spaceId, botId]);
    if (!bot) throw notFound('response_not_found', 'response token not found');
    const scopes = bot.scopes === null ? ('all' as const) : new Set(bot.scopes.filter(isScope));
    return { kind: 'bot', spaceId, botId, channelIds: bot.channelIds, scopes };
  }
}

/** An expired or used address is 404, as Slack answers. */
function refusalOf({ status, code, headers }: ApiError): UrlAnswer {
  if (status === 429)
    return { status, error: 'ratelimited', retryAfter: String(headers['retry-after'] ?? '1') };
  return { status: status === 410 ? 404 : status, error: NAMES[code] ?? code };
}
