import { Module } from '@nestjs/common';
import { InteractiveSettings } from '../interactive.settings.js';
import { ResponseTokens } from './response-tokens.js';

/** Import it in libs whose events can be answered late. */
@Module({ providers: [ResponseTokens, InteractiveSettings], exports: [ResponseTokens] })
export class ResponseTokensModule {}
