import { Module } from '@nestjs/common';
import { InteractiveSettings } from '../../interactive.settings.js';
import { ComponentSigner } from './component-signer.js';
import '../metadata-visibility.js';

/** What every lib needs that stores metadata of bots: signed tokens, and that viewers see only their part. */
@Module({ providers: [ComponentSigner, InteractiveSettings], exports: [ComponentSigner] })
export class ComponentSigningModule {}
