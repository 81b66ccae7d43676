import { Global, Module } from '@nestjs/common';
import { AppConfig } from '../config/index.js';
import { SecretBox } from './secret-box.js';

/** Provides the {@link SecretBox} over the configured keys. */
@Global()
@Module({
  providers: [
    {
      provide: SecretBox,
      inject: [AppConfig],
      useFactory: (config: AppConfig) => SecretBox.fromConfig(config),
    },
  ],
  exports: [SecretBox],
})
export class SigningModule {}
