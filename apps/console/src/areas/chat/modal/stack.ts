import type { InteractionAnswer } from '@tieline/sdk/api';

/**
 * Where a submission is: `sent` until its response, `queued` for a bot that polls, whose answer
 * comes by stream. The stream is another connection, so that answer may be here before the response
 * is: a message or a text makes it `overtaken`, what keeps the form open `none`.
 */
type Submission = 'none' | 'sent' | 'queued' | 'overtaken';

/** A form that is open. The last one lies on top. */
export interface OpenModal {
  token: string;
  modal: unknown;
  conversationId: string;
  errors: Readonly<Record<string, string>>;
  submission: Submission;
  /** Grows with each form under this token. */
  version: number;
}

/** What concerns forms in the answer to a click, a command or a submission. */
export type Answer = Partial<Pick<InteractionAnswer, 'modal' | 'modal_token' | 'errors'>> & {
  result: string;
};

/** The open forms after an answer. */
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

/** Before a form is submitted. */
export function stackOnSubmit(open: readonly OpenModal[], token: string): readonly OpenModal[] {
  return open.map((one) => (one.token === token ? { ...one, submission: 'sent', errors: {} } : one));
}

/** After the response that a bot is to answer by stream. */
export function stackOnQueued(open: readonly OpenModal[], token: string): readonly OpenModal[] {
  return open
    .filter((one) => one.token !== token || one.submission !== 'overtaken')
    .map((one) =>
      one.token === token && one.submission === 'sent' ? { ...one, submission: 'queued' } : one,
    );
}

/** After a submission that failed. */
export function stackOnFailure(open: readonly OpenModal[], token: string): readonly OpenModal[] {
  return open.map((one) => (one.token === token ? { ...one, submission: 'none' } : one));
}

/**
 * After a message or a text for the person. A bot that polls answers with one too: then the form on
 * top has done its work.
 */
export function stackOnMessage(open: readonly OpenModal[]): readonly OpenModal[] {
  const top = open.at(-1);
  if (top?.submission === 'queued') return open.slice(0, -1);
  return top?.submission === 'sent' ? [...open.slice(0, -1), { ...top, submission: 'overtaken' }] : open;
}
