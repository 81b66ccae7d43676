import { Global, Module } from '@nestjs/common';
import { SlackEvents } from '@tieline/bots';
import { TranslateEvents } from './events/translate-events.js';

/**
 * For workers: translates the events of bots with Slack's format. Global because it provides the
 * port `SlackEvents` of `@tieline/bots`, which cannot import this lib.
 */
@Global()
@Module({
  providers: [{ provide: SlackEvents, useClass: TranslateEvents }],
  exports: [SlackEvents],
})
export class SlackSurfaceWorkerModule {}
