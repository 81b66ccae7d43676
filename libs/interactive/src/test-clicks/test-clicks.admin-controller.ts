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

/** Maximum number of test clicks for one bot per minute, from all admins together. */
const PER_MINUTE = 20;
const MINUTE_MS = 60_000;

/** Sends test clicks to bots. */
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
   * Sends a signed `button.click`, delivered like a person's click. Waits for a callback up to
   * CALLBACK_TIMEOUT_MS. The bot's answer is shown, but not applied.
   */
  @Post()
  @ApiOperation({
    operationId: 'testClickAsAdmin',
    summary: 'Sends a bot a signed test click; its answer is shown but not applied',
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
