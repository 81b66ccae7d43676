import { Field, OkAnswer, PageAnswer } from '@tieline/platform/http';
import { RECOVERY_STATES } from './recovery.entity.js';
import type { Recovery, RecoveryState } from './recovery.entity.js';

/** A recovery in API responses. */
export class RecoveryView {
  @Field({ example: '0190f2a4-7c1b-7000-8000-00000000abce' })
  id: string;

  @Field({
    enum: RECOVERY_STATES,
    example: 'running',
    description: 'done: all deliveries have finished',
  })
  state: RecoveryState;

  @Field({ example: 1200, description: 'number of events to send again' })
  total: number;

  @Field({ example: 300, description: 'number of finished deliveries' })
  done: number;

  @Field({ example: 290, description: 'number of successful deliveries' })
  succeeded: number;

  @Field({ example: 10, description: 'number of failed deliveries' })
  failed: number;

  @Field({ example: '0190f2a4-7c1b-7000-8000-00000000abcd' })
  outgoing_webhook_id: string;

  @Field({
    example: '0190f2a4-7c1b-7000-8000-00000000abcd',
    description: 'the subscription that receives the events',
  })
  to: string;

  @Field({ enum: ['failed', 'all'], example: 'failed' })
  only: 'failed' | 'all';

  @Field({ example: '2026-11-21T09:00:00.000Z' })
  since: string;

  @Field({ example: '2026-11-21T10:00:00.000Z' })
  until: string;

  @Field({ example: ['MESSAGE_CREATED'], description: 'empty: all' })
  event_types: string[];

  @Field({ example: '2026-11-21T10:00:00.000Z' })
  created_at: string;
}

export class RecoveryAnswer extends OkAnswer {
  @Field({ type: RecoveryView })
  recovery: RecoveryView;
}

export class RecoveriesPage extends PageAnswer {
  @Field({ type: RecoveryView, isArray: true })
  recoveries: RecoveryView[];
}

export function recoveryView(row: Recovery): RecoveryView {
  return {
    id: row.id,
    state: row.state,
    total: row.total,
    done: row.done,
    succeeded: row.succeeded,
    failed: row.failed,
    outgoing_webhook_id: row.webhookId,
    to: row.toId,
    only: row.onlyFailed ? 'failed' : 'all',
    since: row.since.toISOString(),
    until: row.until.toISOString(),
    event_types: row.eventTypes,
    created_at: row.createdAt.toISOString(),
  };
}
