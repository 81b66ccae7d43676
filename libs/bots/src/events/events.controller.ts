import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Db } from '@tieline/platform/database';
import {
  Answers,
  bearerToken,
  BotApi,
  Caller,
  documentErrors,
  invalidToken,
  requireScope,
  RequiresScope,
  TokenResolvers,
} from '@tieline/platform/http';
import type { BotPrincipal } from '@tieline/platform/http';
import { charged, RateLimiter } from '@tieline/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PollSettings } from '../bots.settings.js';
import { notInPollMode, pollingDisabled } from '../bots.errors.js';
import { PollEventsQuery } from './dto/poll-events.query.js';
import { idFloor, readAfter } from '../poll/poll-ids.js';
import { readPollPage } from '../poll/poll-queue.queries.js';
import type { PollRecord } from '../poll/poll-queue.queries.js';
import { pollPageAnswer, PollPageAnswer } from '../poll/poll-record.view.js';
import { PollPositions } from '../poll/poll-positions.js';
import { PollWaiters } from '../poll/poll-waiters.js';

const HOUR_MS = 3_600_000;
/** Maximum delay of a long poll if the hint for a record was lost. */
const SECOND_LOOK_MS = 5_000;

/** A poll request. */
interface Poll {
  bot: BotPrincipal;
  /** Checked again after waiting, because the token may have been replaced. */
  authorization: string | undefined;
  query: PollEventsQuery;
  /** Aborts when the client disconnects; undefined for a poll that does not wait. */
  gone: AbortSignal | undefined;
}

/** Returns a signal that aborts when the response is complete or the client disconnects. */
function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
}

/** Event polling (docs/polling.md#read-events). */
@Controller('api/v1/bot/events')
@BotApi()
@RequiresScope('events')
@ApiTags('bot: events')
export class EventsController {
  constructor(
    private readonly db: Db,
    private readonly settings: PollSettings,
    private readonly limiter: RateLimiter,
    private readonly resolvers: TokenResolvers,
    private readonly waiters: PollWaiters,
    private readonly positions: PollPositions,
  ) {}

  /**
   * Returns the records after the cursor, oldest first. `next_cursor` is the id of the last one, or
   * "" if there is none. With `wait`, responds as soon as there is a record, at the latest after
   * that many seconds.
   */
  @Get()
  @ApiOperation({
    operationId: 'listEvents',
    summary: "Reads the bot's event queue after a cursor, optionally waiting for records",
  })
  @Answers(PollPageAnswer)
  @documentErrors(400, 429, 503)
  async list(
    @Caller() bot: BotPrincipal,
    @Query() query: PollEventsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PollPageAnswer> {
    if (!this.settings.enabled) throw pollingDisabled();
    const poll = {
      bot,
      authorization: request.headers.authorization,
      query,
      gone: query.wait === 0 ? undefined : disconnectSignal(reply),
    };
    const rule = { key: `bot:{${bot.botId}}:poll`, limit: this.settings.perSecond, windowMs: 1000 };
    const records = await charged(this.limiter, [rule], () =>
      query.wait === 0 ? this.read(poll) : this.readOrWait(poll),
    );
    return pollPageAnswer(records);
  }

  private async readOrWait(poll: Poll): Promise<PollRecord[]> {
    const deadline = performance.now() + poll.query.wait * 1000;
    const waiter = this.waiters.enter(poll.bot.botId, poll.gone);
    try {
      let records = await this.read(poll);
      while (records.length === 0) {
        const left = deadline - performance.now();
        const end = await waiter.wait(Math.min(left, SECOND_LOOK_MS));
        if (end === 'ended' || (end === 'timeout' && left <= SECOND_LOOK_MS)) break;
        await this.requireValidToken(poll);
        records = await this.read(poll);
      }
      return records;
    } finally {
      waiter.leave();
    }
  }

  /**
   * @throws 400 if the bot's mode is not `poll`; 401 if it has been disabled or deleted since it
   * was authenticated
   */
  private async read({ bot: { spaceId, botId }, query: { cursor, limit } }: Poll): Promise<PollRecord[]> {
    const oldest = idFloor(new Date(Date.now() - this.settings.retentionHours * HOUR_MS));
    const page = await readPollPage(this.db, { spaceId, botId, after: readAfter(cursor, oldest), limit });
    if (!page) throw invalidToken();
    if (page.mode !== 'poll') throw notInPollMode();
    await this.positions.note({ spaceId, botId }, readAfter(cursor, '0'));
    return page.records;
  }

  /**
   * Checks the token again, because it may have been replaced during the wait.
   * @throws 401; 403 if it has lost its scope
   */
  private async requireValidToken({ authorization }: Poll): Promise<void> {
    const principal = await this.resolvers.resolve(bearerToken(authorization));
    if (principal?.kind !== 'bot') throw invalidToken();
    requireScope(principal, 'events');
  }
}
