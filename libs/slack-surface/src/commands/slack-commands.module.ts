import { Global, Module } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { SlackCommands } from '@tieline/slash';
import { CommandRequests } from './command-requests.js';
import { TranslateCommands } from './translate-commands.js';

/**
 * Global because it provides the port `SlackCommands` of `@tieline/slash`, which cannot import this
 * lib.
 */
@Global()
@Module({
  imports: [DatabaseModule],
  providers: [CommandRequests, { provide: SlackCommands, useClass: TranslateCommands }],
  exports: [CommandRequests, SlackCommands],
})
export class SlackCommandsModule {}
