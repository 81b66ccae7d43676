import { Controller, Get, Header } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { PrivateRoutes } from '../http/index.js';
import { Metrics } from './metrics.js';

/**
 * The metrics of this process, for Prometheus (docs/monitor.md#metrics). No authentication: labels
 * name routes, jobs and kinds, never people or targets.
 */
@ApiTags('public: health')
@Controller('metrics')
@PrivateRoutes('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  /** Prometheus text. Answers within about a second, even while the database is down. */
  @Get()
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  @ApiOperation({ operationId: 'getMetrics', summary: 'Gets the metrics of this process' })
  @ApiProduces('text/plain')
  @ApiResponse({
    status: 200,
    description: 'Prometheus text',
    schema: { type: 'string', example: 'tieline_streams_open 3\n' },
  })
  get(): Promise<string> {
    return this.metrics.text();
  }
}
