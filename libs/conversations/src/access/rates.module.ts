import { Module } from '@nestjs/common';
import { RateLimitModule } from '@tieline/rate-limit';
import { BotRateSettings, PersonRateSettings } from '../conversations.settings.js';
import { BotRates } from './bot-rates.js';
import { PersonRates } from './person-rates.js';

/** Provides the rates of bots and people. Import it in libs that charge their writes. */
@Module({
  imports: [RateLimitModule],
  providers: [BotRates, BotRateSettings, PersonRates, PersonRateSettings],
  exports: [BotRates, BotRateSettings, PersonRates, PersonRateSettings],
})
export class RatesModule {}
