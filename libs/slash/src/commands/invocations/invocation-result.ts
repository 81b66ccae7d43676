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

/** Result of a bot's immediate answer. */
export type CommandResult =
  | { result: 'in_channel'; text: string; messageId: string }
  | { result: 'ephemeral'; text: string; shown?: EphemeralMessage }
  | { result: 'open_modal'; opened: NonNullable<InvocationResult['opened']> };

/** The answer, and its outcome for the metrics. */
export interface InvocationOutcome {
  outcome: 'in_channel' | 'ephemeral' | 'ack' | 'open_modal' | 'failed' | 'misfit';
  answer: InvocationResult;
}
