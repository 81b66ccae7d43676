import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { requireBot } from '@tieline/bots';
import { Db } from '@tieline/platform/database';
import { AdminApi, Answers, documentErrors, UuidParam } from '@tieline/platform/http';
import { charged, RateLimiter } from '@tieline/rate-limit';
import { Acting } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { readTestClick, TestClickDto } from './dto/test-click.dto.js';
import { TestClickAnswer } from './test-click.view.js';
import { TestClicks } from './test-clicks.js';

/** Test clicks of a bot within a minute, whoever sends them. */
const PER_MINUTE = 20;
const MINUTE_MS = 60_000;

/** Tries what a bot makes of clicks. */
@Controller('api/v1/admin/bots/:id/test_click')
@AdminApi()
@ApiTags('admin: bots')
export class TestClicksAdminController {
  constructor(
    private readonly db: Db,
    private readonly limiter: RateLimiter,
    private readonly clicks: TestClicks,
  ) {}

  /**
   * A `button.click` as a person's, signed and by the bot's own way; waits for a callback,
   * CALLBACK_TIMEOUT_MS at most. Its answer is shown, not carried out.
   */
  @Post()
  @ApiOperation({
    operationId: 'testClickAsAdmin',
    summary: 'Sends a bot a signed test click; its answer is shown and not carried out',
  })
  @HttpCode(200)
  @ApiBody({ type: TestClickDto, required: false })
  @Answers(TestClickAnswer)
  @documentErrors(400, 404, 409, 429, 503)
  async send(
    @Acting() admin: ActingAdmin,
    @UuidParam('id') botId: string,
    @Body() body: object | undefined,
  ): Promise<TestClickAnswer> {
    const given = readTestClick(body);
    const [actionId, data] = [given.action_id ?? 'test', given.data ?? ''];
    await requireBot(this.db, admin.spaceId, botId);
    const rule = { key: `bot:{${botId}}:test-clicks`, limit: PER_MINUTE, windowMs: MINUTE_MS };
    const sent = await charged(this.limiter, [rule], () =>
      this.clicks.send(admin, { botId, actionId, data }),
    );
    if (sent.kind === 'queued')
      return { ok: true, delivered_by: 'queued', interaction_id: sent.interactionId };
    const { statusCode, error, durationMs, response } = sent;
    const result = { status_code: statusCode, error, duration_ms: durationMs, response };
    return { ok: true, delivered_by: 'called_back', result };
  }
}
