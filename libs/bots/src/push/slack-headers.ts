import type { AttemptFailure } from '@tieline/delivery';
import { slackSignature } from '@tieline/signing';
import type { LiveSecrets } from '@tieline/signing';

/** What the headers of an attempt depend on. */
interface SlackAttempt {
  timestamp: number;
  attempt: number;
  body: Uint8Array;
  lastFailure?: AttemptFailure | undefined;
}

/**
 * Returns the headers that Slack apps read from an event: the signature, and for retries their
 * number and reason (docs/slack-apps.md#events-by-http).
 */
export function slackHeaders(
  { current }: LiveSecrets,
  { timestamp, attempt, body, lastFailure }: SlackAttempt,
): Record<string, string> {
  return {
    ...slackSignature(current, timestamp, body),
    ...(attempt > 1 && {
      'X-Slack-Retry-Num': String(attempt - 1),
      'X-Slack-Retry-Reason': retryReason(lastFailure),
    }),
  };
}

/**
 * Returns Slack's name for the failure of an attempt. The errors without a response are those of
 * `@tieline/egress`. Redirects are never retried, so `too_many_redirects` does not occur.
 */
export function retryReason(failure: AttemptFailure | undefined): string {
  if (!failure) return 'unknown_error';
  const { statusCode, error } = failure;
  if (statusCode !== null) return 'http_error';
  if (error === 'timeout') return 'http_timeout';
  if (/^(?:certificate|TLS) /.test(error ?? '')) return 'ssl_error';
  const isUnreachable = /^(?:connection|host name|name resolution|receiver) /.test(error ?? '');
  return isUnreachable ? 'connection_failed' : 'unknown_error';
}
