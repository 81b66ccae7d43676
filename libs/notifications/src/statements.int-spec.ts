import { describeClaims, describeEntities, describeStatements } from '@tieline/testing';
import * as jobs from './jobs/notification-jobs.statements.js';
import * as notifications from './notifications.statements.js';
import { PushSubscription } from './push/push-subscription.entity.js';
import * as push from './push/push.statements.js';

describeStatements(jobs, notifications, push);
describeEntities(PushSubscription);

describeClaims({
  statement: jobs.DROP_REJECTED,
  params: [7],
  fill: `INSERT INTO notification_rejected (space_id, event_id, message_id, conversation_id, channel_id, notice, occurred_at, attempts, error, rejected_at)
    SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '{}', now(), 8, 'x', now() - interval '8 days' FROM generate_series(1, 50)`,
  waiting: 'SELECT 1 FROM notification_rejected',
  takes: 7,
});
