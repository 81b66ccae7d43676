import { Module } from '@nestjs/common';
import { InteractiveSettings } from '../../interactive.settings.js';
import { ComponentSigner } from './component-signer.js';

/** What every lib needs that stores metadata of bots: signed tokens. */
@Module({ providers: [ComponentSigner, InteractiveSettings], exports: [ComponentSigner] })
export class ComponentSigningModule {}
