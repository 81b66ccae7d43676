import { Module } from '@nestjs/common';
import { SpacesAdminModule } from '@tieline/spaces';

/** Mounts every lib's admin endpoints (decisions, section 7). */
@Module({ imports: [SpacesAdminModule] })
export class AdminModule {}
