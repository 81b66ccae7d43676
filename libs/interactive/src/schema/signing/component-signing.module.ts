import { Module } from '@nestjs/common';
import { SigningModule } from '@tieline/signing';
import { InteractiveSettings } from '../../interactive.settings.js';
import { ComponentSigner } from './component-signer.js';

/** What every lib needs that stores metadata of bots: signed tokens. */
@Module({
  imports: [SigningModule],
  providers: [ComponentSigner, InteractiveSettings],
  exports: [ComponentSigner],
})
export class ComponentSigningModule {}
