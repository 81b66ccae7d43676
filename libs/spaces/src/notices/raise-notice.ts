import { v7 as uuidv7 } from 'uuid';
import { statement } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';

/** Something that the admins of a space should know. */
export interface NewNotice {
  spaceId: string;
  /** `<object>.<what happened>`, e.g. `outgoing_webhook.disabled`. */
  kind: string;
  objectType: string;
  objectId: string;
  /** One sentence for people; never a secret. */
  text: string;
}

const RAISE = statement(
  'spaces.raise_notice',
  'INSERT INTO notices (space_id, id, kind, object_type, object_id, text) VALUES ($1, $2, $3, $4, $5, $6)',
);

/** Shows a notice to the admins of a space until one of them dismisses it. @returns its id */
export async function raiseNotice(
  tx: Tx,
  { spaceId, kind, objectType, objectId, text }: NewNotice,
): Promise<string> {
  const id = uuidv7();
  await tx.query(RAISE, [spaceId, id, kind, objectType, objectId, text]);
  return id;
}
