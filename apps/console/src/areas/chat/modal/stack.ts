import type { InteractionAnswer } from '@tieline/sdk/api';

/** A form that is open. The last one lies on top. */
export interface OpenModal {
  token: string;
  modal: unknown;
  conversationId: string;
  errors: Readonly<Record<string, string>>;
  /** Submitted to a bot that polls: its answer comes by stream. */
  isAwaiting: boolean;
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
    isAwaiting: false,
    version: (shown?.version ?? 0) + 1,
  };
  if (result === 'errors')
    return open.map((one) => (one === shown ? { ...one, errors: errors ?? {}, isAwaiting: false } : one));
  if (result === 'update_modal') return open.map((one) => (one === shown ? made : one));
  if (result !== 'open_modal' && result !== 'push_modal') return open;
  if (shown) return open;
  const beneath = open.map((one) => ({ ...one, isAwaiting: false }));
  return result === 'push_modal' ? [...beneath, made] : [...beneath.slice(0, -1), made];
}
