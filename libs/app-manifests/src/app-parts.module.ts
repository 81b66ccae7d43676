import { Global, Module } from '@nestjs/common';
import { AppBotParts } from '@tieline/bots';
import { SigningModule } from '@tieline/signing';
import { CopyCommands } from '@tieline/slash';
import { CopiedParts } from './copied-parts.js';

/**
 * Global because it provides the port `AppBotParts` of `@tieline/bots`, which cannot import this
 * lib.
 */
@Global()
@Module({
  imports: [SigningModule],
  providers: [CopyCommands, { provide: AppBotParts, useClass: CopiedParts }],
  exports: [AppBotParts],
})
export class AppPartsModule {}
