import type { InteractionResult } from './interaction-deliverer.js';

/** What a clicker's client is told (decisions, section 8). */
export interface InteractionResultView {
  ok: true;
  result: InteractionResult['result'];
  message_id?: string;
  ephemeral_text?: string;
  modal?: Readonly<Record<string, unknown>>;
  modal_token?: string;
  interaction_id?: string;
}

export function interactionResultView(answer: InteractionResult): InteractionResultView {
  return {
    ok: true,
    result: answer.result,
    ...('messageId' in answer && { message_id: answer.messageId }),
    ...('ephemeralText' in answer && { ephemeral_text: answer.ephemeralText }),
    ...('modal' in answer && { modal: answer.modal, modal_token: answer.modalToken }),
    ...('interactionId' in answer && { interaction_id: answer.interactionId }),
  };
}
