import type { Payload } from '../payload.js';
import { keyOf, threadKeys } from './native-keys.js';
import type { NativeKeys } from './native-keys.js';

/**
 * Returns the thread key of a GitHub, Gitea or Forgejo event: its pull request or issue (which
 * share their numbers), run or check suite.
 */
export function githubKeys(body: Payload): NativeKeys {
  const place = body.text('repository', 'id') || body.text('repository', 'full_name');
  const subject = ['pull_request', 'issue'].find((name) => body.isObject(name));
  if (subject !== undefined)
    return threadKeys(keyOf('github', place, `#${body.text(subject, 'number') || body.text('number')}`));
  const run = body.text('workflow_run', 'id') || body.text('workflow_job', 'run_id');
  if (run !== '') return threadKeys(keyOf('github-run', place, run));
  const suite = body.text('check_suite', 'id') || body.text('check_run', 'check_suite', 'id');
  return threadKeys(keyOf('github-checks', place, suite));
}

/**
 * Returns the thread key of a GitLab event: its merge request, issue or pipeline. Comments and jobs
 * belong to these.
 */
export function gitlabKeys(body: Payload): NativeKeys {
  const project =
    body.text('project', 'id') || body.text('project_id') || body.text('object_attributes', 'project_id');
  const kind = body.word('object_kind') || body.word('event_name');
  const own = body.text('object_attributes', 'iid');
  const request = kind === 'merge_request' ? own : kind === 'note' ? body.text('merge_request', 'iid') : '';
  if (request !== '') return threadKeys(keyOf('gitlab-request', project, request));
  const issue =
    kind === 'issue' || kind === 'work_item' ? own : kind === 'note' ? body.text('issue', 'iid') : '';
  if (issue !== '') return threadKeys(keyOf('gitlab-issue', project, issue));
  const pipeline = kind === 'pipeline' ? body.text('object_attributes', 'id') : body.text('pipeline_id');
  return threadKeys(keyOf('gitlab-pipeline', project, pipeline));
}
