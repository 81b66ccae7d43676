import { Module } from '@nestjs/common';
import { SigningModule } from '@tieline/signing';
import { InteractiveSettings } from '../../interactive.settings.js';
import { ComponentSigner } from './component-signer.js';

/** Import it in libs that store metadata of bots. */
@Module({
  imports: [SigningModule],
  providers: [ComponentSigner, InteractiveSettings],
  exports: [ComponentSigner],
})
export class ComponentSigningModule {}
