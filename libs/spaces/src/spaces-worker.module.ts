import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@tieline/platform/database';
import { QueueWorkerModule } from '@tieline/queue';
import { OLD_AUDIT_ENTRIES, OldAuditEntriesProcessor } from './audit-log/old-audit-entries.processor.js';
import { OLD_SESSIONS, OldSessionsProcessor } from './sessions/old-sessions.processor.js';
import { AuditLogSettings } from './spaces.settings.js';

/**
 * In workers: forgets what the audit log has kept for long enough, and sessions and invites whose
 * time is over.
 */
@Module({
  imports: [
    DatabaseModule,
    QueueWorkerModule,
    BullModule.registerQueue({ name: OLD_AUDIT_ENTRIES }, { name: OLD_SESSIONS }),
  ],
  providers: [OldSessionsProcessor, OldAuditEntriesProcessor, AuditLogSettings],
})
export class SpacesWorkerModule {}
