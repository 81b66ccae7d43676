import type { EphemeralMessage } from '@tieline/interactive';

/** What the person gets at once. */
export interface InvocationResult {
  result: 'in_channel' | 'ephemeral' | 'ack' | 'open_modal';
  text?: string;
  /** Of what was posted, `in_channel` only. */
  messageId?: string;
  triggerId: string;
  /** Of `ephemeral` with metadata. */
  shown?: EphemeralMessage;
  /** Of `open_modal`. */
  opened?: { modal: Readonly<Record<string, unknown>>; modalToken: string };
}

/** What whoever gave the command gets. */
export type AcknowledgedAnswer = Omit<InvocationResult, 'triggerId' | 'result'> & {
  result: 'in_channel' | 'ephemeral' | 'open_modal';
};
