import type { EphemeralMessage } from '@tieline/interactive';

/** Immediate result for the person. */
export interface InvocationResult {
  result: 'in_channel' | 'ephemeral' | 'ack' | 'open_modal';
  text?: string;
  /** The posted message; only for `in_channel`. */
  messageId?: string;
  triggerId: string;
  /** For `ephemeral` with metadata. */
  shown?: EphemeralMessage;
  /** For `open_modal`. */
  opened?: { modal: Readonly<Record<string, unknown>>; modalToken: string };
}

/** Result that an acknowledgement passes to the waiting request. */
export type AcknowledgedAnswer = Omit<InvocationResult, 'triggerId' | 'result'> & {
  result: 'in_channel' | 'ephemeral' | 'open_modal';
};
