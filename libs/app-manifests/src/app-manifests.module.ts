import { Module } from '@nestjs/common';
import { CreateApp, GrantAccess } from '@tieline/apps';
import { AppBotsModule, UpdateBot } from '@tieline/bots';
import { EgressModule } from '@tieline/egress';
import { DatabaseModule } from '@tieline/platform/database';
import { HttpModule } from '@tieline/platform/http';
import { SigningModule } from '@tieline/signing';
import { RegisterCommand } from '@tieline/slash';
import { AppManifestsAdminController } from './app-manifests.admin-controller.js';
import { CreateFromManifest } from './create-from-manifest.js';

/** Creates and exports apps as manifests. */
@Module({
  imports: [DatabaseModule, HttpModule, SigningModule, EgressModule, AppBotsModule],
  controllers: [AppManifestsAdminController],
  providers: [CreateApp, CreateFromManifest, GrantAccess, RegisterCommand, UpdateBot],
})
export class AppManifestsModule {}
