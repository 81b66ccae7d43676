import type { Tx } from '@tieline/platform/database';
import { changesBetween, recordChange } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';
import { shownSettings } from './incoming-settings.js';
import type { IncomingSettings } from './incoming-settings.js';

export type IncomingAction =
  | 'incoming_webhook.created'
  | 'incoming_webhook.updated'
  | 'incoming_webhook.deleted'
  | 'incoming_webhook.token_regenerated'
  | 'incoming_webhook.secret_rotated'
  | 'incoming_webhook.auto_disabled';

/** Settings before (null: there was no webhook) and after a change. */
export interface IncomingSettingsChange {
  before: Partial<IncomingSettings> | null;
  after: Partial<IncomingSettings>;
  /** What became of the native secret; absent: nothing. */
  nativeSecret?: { from: 'set' | null; to: 'set' | 'replaced' | null };
}

/** How the audit log shows a change of the native secret; undefined where it stays. */
export function nativeSecretChange(
  before: Buffer | null,
  after: Buffer | null | undefined,
): Pick<IncomingSettingsChange, 'nativeSecret'> {
  if (after === undefined || (before === null && after === null)) return {};
  const to = after === null ? null : before === null ? 'set' : 'replaced';
  return { nativeSecret: { from: before === null ? null : 'set', to } };
}

/**
 * Writes a change to the audit log, in the transaction of the change. Tokens and secrets are never
 * in it.
 */
export async function recordIncomingChange(
  tx: Tx,
  { spaceId, id }: { spaceId: string; id: string },
  action: IncomingAction,
  origin: Origin,
  { before, after, nativeSecret }: IncomingSettingsChange = { before: null, after: {} },
): Promise<void> {
  const changes = changesBetween(before && shownSettings(before), shownSettings(after));
  await recordChange(tx, {
    spaceId,
    ...origin,
    action,
    objectType: 'incoming_webhook',
    objectId: id,
    changes: { ...changes, ...(nativeSecret && { native_secret: nativeSecret }) },
  });
}
