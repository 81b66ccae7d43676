import type { CallbackAttempt } from '@tieline/egress';
import type { CallbackKind } from './callback.view.js';

/** A callback that is over. */
export interface EndedCallback extends CallbackAttempt {
  spaceId: string;
  botId: string;
  kind: CallbackKind;
  url: string;
  /** Whether the person got no answer. */
  failed: boolean;
  /** Of an admin who tries the bot: it makes no notice, and ends no row of failures. */
  isTrial?: boolean;
  at: Date;
}

/** The same, to be written once. */
export type LoggedCallback = EndedCallback & { id: string };
