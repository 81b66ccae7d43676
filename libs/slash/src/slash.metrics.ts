import { Injectable } from '@nestjs/common';
import { Metrics } from '@tieline/platform/observability';

/** What is counted of slash commands. */
@Injectable()
export class SlashMetrics {
  private readonly commands = this.metrics.counter(
    'tieline_slash_commands_total',
    'Slash commands by outcome',
    ['outcome'],
  );

  constructor(private readonly metrics: Metrics) {}

  /** Counts a slash command; `failed` if its bot returned no usable answer. */
  slashCommand(outcome: string): void {
    this.commands.labels(outcome).inc();
  }
}
