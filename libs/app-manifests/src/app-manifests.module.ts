import { Module } from '@nestjs/common';
import { CreateApp, GrantAccess } from '@tieline/apps';
import { AppBotsModule } from '@tieline/bots';
import { EgressModule } from '@tieline/egress';
import { DatabaseModule } from '@tieline/platform/database';
import { HttpModule } from '@tieline/platform/http';
import { SigningModule } from '@tieline/signing';
import { RegisterCommand, UpdateCommand } from '@tieline/slash';
import { AppManifestsAdminController } from './app-manifests.admin-controller.js';
import { AppPartsModule } from './app-parts.module.js';
import { CreateFromManifest } from './create-from-manifest.js';
import { SetUpBot } from './set-up-bot.js';
import { UpdateFromManifest } from './update-from-manifest.js';

/** Creates, changes and exports apps as manifests. */
@Module({
  imports: [DatabaseModule, HttpModule, SigningModule, EgressModule, AppBotsModule, AppPartsModule],
  controllers: [AppManifestsAdminController],
  providers: [
    CreateApp,
    CreateFromManifest,
    GrantAccess,
    RegisterCommand,
    SetUpBot,
    UpdateCommand,
    UpdateFromManifest,
  ],
})
export class AppManifestsModule {}
