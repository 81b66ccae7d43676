import { Module } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { SigningModule } from '@tieline/signing';
import { PortalLinks } from './portal-links.js';

/** Makes portal links, and opens them. */
@Module({ imports: [DatabaseModule, SigningModule], providers: [PortalLinks], exports: [PortalLinks] })
export class PortalLinksModule {}
