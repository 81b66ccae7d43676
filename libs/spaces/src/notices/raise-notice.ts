import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '@tieline/platform/database';
import { Notice } from './notice.entity.js';

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

/** Shows a notice to the admins of a space until one of them dismisses it. @returns its id */
export async function raiseNotice({ manager }: Tx, notice: NewNotice): Promise<string> {
  const id = uuidv7();
  await manager.insert(Notice, { ...notice, id });
  return id;
}
