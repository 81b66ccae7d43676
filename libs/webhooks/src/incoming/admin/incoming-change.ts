import type { Tx } from '@tieline/platform/database';
import { auditedOf } from '@tieline/platform/resource';
import { changesBetween, recordChange } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';
import { INCOMING_WEBHOOK } from './incoming-webhook.js';
import type { IncomingSettings } from './incoming-webhook.js';

export type IncomingAction =
  | 'incoming_webhook.created'
  | 'incoming_webhook.updated'
  | 'incoming_webhook.deleted'
  | 'incoming_webhook.token_regenerated'
  | 'incoming_webhook.secret_rotated'
  | 'incoming_webhook.auto_disabled';

/** Settings before and after a change. `before` is null for a new webhook. */
export interface IncomingSettingsChange {
  before: Partial<IncomingSettings> | null;
  after: Partial<IncomingSettings>;
  /** How the native secret changed. Absent if it did not. */
  nativeSecret?: { from: 'set' | null; to: 'set' | 'replaced' | null };
}

/**
 * Describes a change of the native secret for the audit log. Returns an empty object if it did not
 * change.
 */
export function nativeSecretChange(
  before: Buffer | null,
  after: Buffer | null | undefined,
): Pick<IncomingSettingsChange, 'nativeSecret'> {
  if (after === undefined || (before === null && after === null)) return {};
  const to = after === null ? null : before === null ? 'set' : 'replaced';
  return { nativeSecret: { from: before === null ? null : 'set', to } };
}

/**
 * Writes a change to the audit log in the transaction of the change. Never includes tokens or
 * secrets.
 */
export async function recordIncomingChange(
  tx: Tx,
  { spaceId, id }: { spaceId: string; id: string },
  action: IncomingAction,
  origin: Origin,
  { before, after, nativeSecret }: IncomingSettingsChange = { before: null, after: {} },
): Promise<void> {
  const audited = (settings: Partial<IncomingSettings>): Record<string, unknown> =>
    auditedOf(INCOMING_WEBHOOK, settings);
  const changes = changesBetween(before && audited(before), audited(after));
  await recordChange(tx, {
    spaceId,
    ...origin,
    action,
    objectType: 'incoming_webhook',
    objectId: id,
    changes: { ...changes, ...(nativeSecret && { native_secret: nativeSecret }) },
  });
}
