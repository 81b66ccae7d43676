import { Module } from '@nestjs/common';
import { HttpModule } from '@tieline/platform/http';
import { DatabaseModule } from '@tieline/platform/database';
import { AuditLogAdminController } from './audit-log/audit-log.admin-controller.js';
import { InvitesAdminController } from './invites/invites.admin-controller.js';
import { NoticesAdminController } from './notices/notices.admin-controller.js';
import { SpaceAdminController } from './spaces/space.admin-controller.js';
import { SpaceLimitSettings } from './spaces.settings.js';
import { CreateUser } from './users/create-user.js';
import { UpdateUser } from './users/update-user.js';
import { UsersAdminController } from './users/users.admin-controller.js';

/** The admin endpoints of this lib; mounted by `@tieline/admin`. */
@Module({
  imports: [DatabaseModule, HttpModule],
  controllers: [
    SpaceAdminController,
    UsersAdminController,
    InvitesAdminController,
    NoticesAdminController,
    AuditLogAdminController,
  ],
  providers: [CreateUser, UpdateUser, SpaceLimitSettings],
})
export class SpacesAdminModule {}
