import { Module } from '@nestjs/common';
import { PlatformSettings } from '../config/index.js';
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
