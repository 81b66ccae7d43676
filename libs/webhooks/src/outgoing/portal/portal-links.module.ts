import { Module } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { SigningModule } from '@tieline/signing';
import { PortalLinks } from './portal-links.js';

/** Creates and verifies portal links. */
@Module({ imports: [DatabaseModule, SigningModule], providers: [PortalLinks], exports: [PortalLinks] })
export class PortalLinksModule {}
