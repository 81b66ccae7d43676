import type { InteractionAnswer } from '@tieline/sdk/api';

/**
 * State of a submission: `sent` until its response arrives, `queued` while a polling bot has yet to
 * answer through the stream. The stream is a separate connection, so the answer may arrive before
 * the response. A message or text then sets `overtaken`; an answer that keeps the form open sets
 * `none`.
 */
type Submission = 'none' | 'sent' | 'queued' | 'overtaken';

/** An open form. The last one is on top. */
export interface OpenModal {
  token: string;
  modal: unknown;
  conversationId: string;
  errors: Readonly<Record<string, string>>;
  submission: Submission;
  /** Incremented with each form under this token. */
  version: number;
}

/** The parts of an answer to a click, command or submission that concern forms. */
export type Answer = Partial<Pick<InteractionAnswer, 'modal' | 'modal_token' | 'errors'>> & {
  result: string;
};

/** Returns the open forms after an answer. */
export function stackAfter(
  open: readonly OpenModal[],
  { result, modal, modal_token: token, errors }: Answer,
  conversationId: string,
): readonly OpenModal[] {
  if (token === undefined) return open;
  const shown = open.find((one) => one.token === token);
  const made = {
    token,
    modal,
    conversationId,
    errors: {},
    submission: 'none' as const,
    version: (shown?.version ?? 0) + 1,
  };
  if (result === 'errors')
    return open.map((one) =>
      one === shown ? { ...one, errors: errors ?? {}, submission: 'none' as const } : one,
    );
  if (result === 'update_modal') return open.map((one) => (one === shown ? made : one));
  if (result !== 'open_modal' && result !== 'push_modal') return open;
  if (shown) return open;
  const beneath = open.map((one) => ({ ...one, submission: 'none' as const }));
  return result === 'push_modal' ? [...beneath, made] : [...beneath.slice(0, -1), made];
}

/** Returns the open forms when a submission starts. */
export function stackOnSubmit(open: readonly OpenModal[], token: string): readonly OpenModal[] {
  return open.map((one) => (one.token === token ? { ...one, submission: 'sent', errors: {} } : one));
}

/** Returns the open forms after a response saying that the bot answers through the stream. */
export function stackOnQueued(open: readonly OpenModal[], token: string): readonly OpenModal[] {
  return open
    .filter((one) => one.token !== token || one.submission !== 'overtaken')
    .map((one) =>
      one.token === token && one.submission === 'sent' ? { ...one, submission: 'queued' } : one,
    );
}

/** Returns the open forms after a failed submission. */
export function stackOnFailure(open: readonly OpenModal[], token: string): readonly OpenModal[] {
  return open.map((one) => (one.token === token ? { ...one, submission: 'none' } : one));
}

/**
 * Returns the open forms after a message or text for the person. For a polling bot it completes the
 * form on top.
 */
export function stackOnMessage(open: readonly OpenModal[]): readonly OpenModal[] {
  const top = open.at(-1);
  if (top?.submission === 'queued') return open.slice(0, -1);
  return top?.submission === 'sent' ? [...open.slice(0, -1), { ...top, submission: 'overtaken' }] : open;
}
