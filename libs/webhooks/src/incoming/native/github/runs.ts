import { line } from '../parts/native-format.js';
import type { NativeMessage } from '../parts/native-format.js';
import type { Payload } from '../../message/payload.js';

/** Fields that contain a run. A workflow comes before its checks. */
export const RUN_KEYS = ['workflow_run', 'workflow_job', 'check_run', 'check_suite'] as const;
/** Results that mean failure. */
const FAILED = new Set(['failure', 'failed', 'error', 'timed_out', 'startup_failure']);

/** Reads a workflow run or a check. A failed one is a warning. */
export function checkOrRun(body: Payload, key: (typeof RUN_KEYS)[number]): NativeMessage {
  const run = body.object(key);
  const result = run.text('conclusion') || run.text('status') || body.text('action');
  const workflow = key === 'workflow_job' ? run.text('workflow_name') : '';
  const name = run.text('name') || body.text('workflow', 'name') || run.text('app', 'name');
  const number = run.text('run_number') && `#${run.text('run_number')}`;
  const branch = run.text('head_branch') || run.text('check_suite', 'head_branch');
  const title =
    run.text('display_title') || run.text('output', 'title') || run.text('head_commit', 'message');
  return {
    lines: [
      line(
        key.replace('_', ' '),
        workflow && `${workflow} /`,
        name,
        `${number}:`.replace(/^:/, ''),
        result,
        branch && `on ${branch}`,
      ),
      title,
    ],
    links: [{ label: 'Open', url: run.text('html_url') || body.text('repository', 'html_url') }],
    severity: severityOf(result),
  };
}

/** Reads the status of a deployment. */
export function deploymentStatus(body: Payload): NativeMessage {
  const status = body.object('deployment_status');
  const place = status.text('environment') || body.text('deployment', 'environment');
  return {
    lines: [line('deployment', place && `to ${place}:`, status.text('state')), status.text('description')],
    links: [
      {
        label: 'Open',
        url: status.text('log_url') || status.text('target_url') || status.text('environment_url'),
      },
    ],
    severity: severityOf(status.text('state')),
  };
}

/** Reads a commit status set by another service. */
export function commitStatus(body: Payload): NativeMessage {
  const at = body.text('sha').slice(0, 8);
  return {
    lines: [line(body.text('context') + ':', body.text('state'), at && `at ${at}`), body.text('description')],
    links: [{ label: 'Open', url: body.text('target_url') || body.text('commit', 'html_url') }],
    severity: severityOf(body.text('state')),
  };
}

function severityOf(result: string): NativeMessage['severity'] {
  return FAILED.has(result.toLowerCase()) ? 'warning' : 'info';
}
