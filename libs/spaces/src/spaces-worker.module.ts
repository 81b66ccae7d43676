import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { QueueWorkerModule } from '@tieline/queue';
import { OLD_AUDIT_ENTRIES, OldAuditEntriesProcessor } from './audit-log/old-audit-entries.processor.js';
import { OLD_SESSIONS, OldSessionsProcessor } from './sessions/old-sessions.processor.js';
import { AuditLogSettings } from './spaces.settings.js';

/** Worker jobs: delete old entries of the audit log, and expired sessions and invites. */
@Module({
  imports: [
    DatabaseModule,
    QueueWorkerModule,
    BullModule.registerQueue({ name: OLD_AUDIT_ENTRIES }, { name: OLD_SESSIONS }),
  ],
  providers: [OldSessionsProcessor, OldAuditEntriesProcessor, AuditLogSettings],
})
export class SpacesWorkerModule {}
