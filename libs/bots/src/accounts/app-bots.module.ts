import { Module } from '@nestjs/common';
import { EgressModule } from '@tieline/egress';
import { DatabaseModule } from '@tieline/platform/database';
import { SigningModule } from '@tieline/signing';
import { SpaceLimitSettings } from '@tieline/spaces';
import { AppBots } from './app-bots.js';
import { CreateBot } from './create-bot.js';

/** The bots of apps, for the lib that installs apps. */
@Module({
  imports: [DatabaseModule, SigningModule, EgressModule],
  providers: [AppBots, CreateBot, SpaceLimitSettings],
  exports: [AppBots],
})
export class AppBotsModule {}
