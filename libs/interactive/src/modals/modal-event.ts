import type { LiveEvent } from '@tieline/live-stream';
import type { InteractionContext } from '../interactions/interaction-context.js';
import type { OpenedModal } from './modals.queries.js';

const EVENTS = {
  open_modal: 'modal.open',
  update_modal: 'modal.update',
  push_modal: 'modal.push',
  errors: 'modal.errors',
} as const;

/** A change of a person's modals, with the token of the modal. */
export type ModalEffect =
  | ({ result: 'open_modal' | 'update_modal' | 'push_modal' } & OpenedModal)
  | { result: 'errors'; errors: Readonly<Record<string, string>>; modalToken: string };

/** Where a modal belongs. */
type ModalPlace = Pick<InteractionContext, 'conversationId' | 'messageId' | 'botId' | 'actionId'>;

/** Returns the stream event that shows the change (docs/streams.md#events-for-people). */
export function modalEvent(
  { conversationId, messageId, botId, actionId }: ModalPlace,
  effect: ModalEffect,
): LiveEvent {
  const { result, modalToken } = effect;
  const content = result === 'errors' ? { errors: effect.errors } : { modal: effect.modal };
  return {
    event: EVENTS[result],
    conversation_id: conversationId,
    ...(messageId !== null && { message_id: messageId }),
    ...{ bot_id: botId, action_id: actionId, ...content, modal_token: modalToken },
  };
}
