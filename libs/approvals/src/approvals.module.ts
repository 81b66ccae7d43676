import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { MessagesModule, RatesModule } from '@tieline/conversations';
import { BusModule } from '@tieline/live';
import { DatabaseModule } from '@tieline/platform/database';
import { HttpModule } from '@tieline/platform/http';
import { QueueWorkerModule } from '@tieline/queue';
import { ApprovalsAdminController } from './approvals.admin-controller.js';
import { ApprovalsController } from './approvals.controller.js';
import { ApprovalSettings } from './approvals.settings.js';
import { CreateApproval } from './creation/create-approval.js';
import { ApprovalsClientController } from './decisions/approvals.client-controller.js';
import { DecideApproval } from './decisions/decide-approval.js';
import { APPROVAL_EXPIRY, ApprovalExpiryProcessor } from './endings/approval-expiry.processor.js';
import { CancelApproval } from './endings/cancel-approval.js';
import { ChangeApproval } from './endings/change-approval.js';
import { ExpireApprovals } from './endings/expire-approvals.js';
import { OLD_APPROVALS, OldApprovalsProcessor } from './endings/old-approvals.processor.js';
import { AnnounceApprovals } from './events/announce-approvals.js';
import { ApprovalRulesAdminController } from './rules/approval-rules.admin-controller.js';
import { ApprovalWaiters } from './waiting/approval-waiters.js';

/** Questions of bots that people decide. */
@Module({
  imports: [DatabaseModule, BusModule, RatesModule, HttpModule, MessagesModule],
  controllers: [ApprovalsController, ApprovalsClientController],
  providers: [
    AnnounceApprovals,
    ApprovalSettings,
    ApprovalWaiters,
    CancelApproval,
    ChangeApproval,
    CreateApproval,
    DecideApproval,
  ],
})
export class ApprovalsModule {}

/** Admin endpoints of this lib; mounted by `@tieline/admin`. */
@Module({
  imports: [DatabaseModule, HttpModule],
  controllers: [ApprovalsAdminController, ApprovalRulesAdminController],
})
export class ApprovalsAdminModule {}

/** The worker's part: ends approvals whose time is up, and deletes old ones. */
@Module({
  imports: [
    DatabaseModule,
    BusModule,
    QueueWorkerModule,
    MessagesModule,
    BullModule.registerQueue({ name: APPROVAL_EXPIRY }, { name: OLD_APPROVALS }),
  ],
  providers: [
    AnnounceApprovals,
    ApprovalExpiryProcessor,
    ApprovalSettings,
    ChangeApproval,
    ExpireApprovals,
    OldApprovalsProcessor,
  ],
})
export class ApprovalsWorkerModule {}
