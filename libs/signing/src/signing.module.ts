import { Module } from '@nestjs/common';
import { PlatformSettings } from '@tieline/platform/config';
import { SecretBox } from './secret-box.js';

/** Provides the {@link SecretBox} over the configured keys. */
@Module({
  providers: [
    {
      provide: SecretBox,
      inject: [PlatformSettings],
      useFactory: (settings: PlatformSettings) => SecretBox.fromSettings(settings),
    },
  ],
  exports: [SecretBox],
})
export class SigningModule {}
