import { Controller, Get, Inject, Res, ServiceUnavailableException } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import type { HealthCheckResult, HealthIndicatorFunction } from '@nestjs/terminus';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { Answers } from '../http/index.js';
import { HealthAnswer, UnhealthyAnswer } from './health.view.js';
import { HealthChecks } from './health-checks.js';
import type { HealthPart } from './health-checks.js';
import { LOGGER } from './logger.js';

const CHECK_MS = 2_000;
/**
 * Liveness and readiness of this process (docs/monitor.md#health-checks). No authentication:
 * answers contain neither addresses nor causes; the log does.
 */
@ApiTags('public: health')
@Controller('health')
export class HealthController {
  private readonly down = new Set<string>();

  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly checks: HealthChecks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** 200 as soon as the process serves requests. */
  @Get('live')
  @ApiOperation({ operationId: 'getLiveness', summary: 'Returns 200 while the process is running' })
  @Answers(HealthAnswer)
  live(): Promise<HealthCheckResult> {
    return this.health.check([]);
  }

  /** 200 when this process can serve requests, even `degraded`, else 503; both list the parts. */
  @Get('ready')
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Returns whether the process can serve requests, and which parts are degraded',
  })
  @Answers(HealthAnswer, { description: 'the process can serve requests' })
  @Answers(UnhealthyAnswer, { status: 503, description: 'the process cannot serve requests' })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<unknown> {
    try {
      return await this.health.check([
        ...this.checks.parts().map((part) => this.indicator(part)),
        ...this.leaving(),
      ]);
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      // Terminus' own body, which the error filter would replace.
      void reply.status(503);
      return error.getResponse();
    }
  }

  private indicator(part: HealthPart): HealthIndicatorFunction {
    const { name, absence } = part;
    return async () => {
      const result = await this.indicators
        .check(name)
        .attempt(() => this.attempt(part))
        .withTimeout(CHECK_MS);
      if (result[name]?.status === 'up') return result;
      return { [name]: { status: absence === 'stops' ? 'down' : 'degraded', message: 'unavailable' } };
    };
  }

  private async attempt({ name, check }: HealthPart): Promise<void> {
    try {
      await check();
      if (this.down.delete(name)) this.logger.info({ check: name }, 'health check works again');
    } catch (error) {
      if (!this.down.has(name)) this.logger.warn({ check: name, err: error }, 'health check failed');
      this.down.add(name);
      throw error;
    }
  }

  private leaving(): HealthIndicatorFunction[] {
    return this.checks.isLeaving ? [() => this.indicators.check('process').down('shutting down')] : [];
  }
}
