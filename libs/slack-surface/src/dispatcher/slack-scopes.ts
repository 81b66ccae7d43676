import { SCOPES_BY_SLACK_NAME } from '@tieline/app-manifests';
import { hasScope } from '@tieline/platform/http';
import type { GrantedScopes } from '@tieline/platform/http';
import { SlackError } from './slack-error.js';

const NAMES: readonly string[] = Object.keys(SCOPES_BY_SLACK_NAME).sort();
const ALL = NAMES.join(',');

/**
 * Returns Slack's names of the scopes that a token has, in alphabetical order, separated by commas.
 * Hot path: runs on every call.
 */
export function slackScopes(granted: GrantedScopes): string {
  if (granted === 'all') return ALL;
  const has = (name: string): boolean | undefined =>
    SCOPES_BY_SLACK_NAME[name]?.every((scope) => hasScope(granted, scope));
  return NAMES.filter(has).join(',');
}

/**
 * Checks a token against the scopes of a method. @throws SlackError `missing_scope` with what is
 * needed and provided
 */
export function requireSlackScope(granted: GrantedScopes, accepted: readonly string[]): void {
  const [first] = accepted;
  const [own] = first === undefined ? [] : (SCOPES_BY_SLACK_NAME[first] ?? []);
  if (own === undefined || hasScope(granted, own)) return;
  throw new SlackError('missing_scope', {
    fields: { needed: accepted.join(','), provided: slackScopes(granted) },
  });
}
