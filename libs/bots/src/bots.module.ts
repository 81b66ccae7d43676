import { Module } from '@nestjs/common';
import { AppConfig } from '@tieline/platform/config';
import { EgressPolicy } from '@tieline/platform/egress';
import { SecretBox } from '@tieline/platform/signing';
import './bot-directory.js';
import { BotTokens } from './bot-tokens.js';
import { BotsAdminController } from './bots.admin-controller.js';
import { BotsController } from './bots.controller.js';
import './webhook-secret.js';

const SECRET_BOX = { provide: SecretBox, inject: [AppConfig], useFactory: (config: AppConfig) => SecretBox.fromConfig(config) };
const EGRESS_POLICY = { provide: EgressPolicy, inject: [AppConfig], useFactory: (config: AppConfig) => EgressPolicy.fromConfig(config) };

/** Bots' tokens and what bots do about themselves. */
@Module({ controllers: [BotsController], providers: [BotTokens, SECRET_BOX] })
export class BotsModule {}

/** The admin endpoints of this lib; mounted by `@tieline/admin`. */
@Module({ controllers: [BotsAdminController], providers: [SECRET_BOX, EGRESS_POLICY] })
export class BotsAdminModule {}
