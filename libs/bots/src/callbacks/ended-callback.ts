import type { CallbackAttempt } from '@tieline/egress';
import type { CallbackKind } from './callback.view.js';

/** A callback that has ended. */
export interface EndedCallback extends CallbackAttempt {
  spaceId: string;
  botId: string;
  kind: CallbackKind;
  url: string;
  /** Whether the person got no answer. */
  failed: boolean;
  /** An admin's test: raises no notice and does not reset the count of failures. */
  isTrial?: boolean;
  at: Date;
}

/** A callback with the id under which it is logged once. */
export type LoggedCallback = EndedCallback & { id: string };
