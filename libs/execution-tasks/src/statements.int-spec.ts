import { describeClaims, describeEntities, describeStatements } from '@tieline/testing';
import * as tasks from './execution-tasks.statements.js';
import { ExecutionTask } from './execution-task.entity.js';

describeStatements(tasks);
describeEntities(ExecutionTask);

describeClaims({
  statement: tasks.DROP_OLD_UPDATES,
  params: [30, 7],
  fill: `SET session_replication_role = replica;
    INSERT INTO execution_task_updates (space_id, widget_id, idempotency_key, fingerprint, created_at)
    SELECT gen_random_uuid(), gen_random_uuid(), 'k', '', now() - interval '31 days' FROM generate_series(1, 50)`,
  waiting: 'SELECT 1 FROM execution_task_updates',
  takes: 7,
});
