import { Module } from '@nestjs/common';
import { ComponentSigningModule } from './component-signing.module.js';
import { InteractiveConfigController } from './interactive-config.controller.js';

/** Buttons and selects of bots' messages: their configuration, signing and visibility. */
@Module({ imports: [ComponentSigningModule], controllers: [InteractiveConfigController] })
export class InteractiveModule {}
