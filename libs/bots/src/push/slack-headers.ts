import { slackSignature } from '@tieline/signing';
import type { LiveSecrets } from '@tieline/signing';

/** The delivery engine keeps no reason that has a name in Slack's list. */
const RETRY_REASON = 'unknown_error';

/**
 * Returns the headers that Slack apps read from an event: the signature, and for retries their
 * number and a reason (docs/slack-apps.md#events-by-http).
 */
export function slackHeaders(
  { current }: LiveSecrets,
  { timestamp, attempt, body }: { timestamp: number; attempt: number; body: Uint8Array },
): Record<string, string> {
  return {
    ...slackSignature(current, timestamp, body),
    ...(attempt > 1 && {
      'X-Slack-Retry-Num': String(attempt - 1),
      'X-Slack-Retry-Reason': RETRY_REASON,
    }),
  };
}
