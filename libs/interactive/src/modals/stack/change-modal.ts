import type { Tx } from '@tieline/platform/database';
import type { InteractionContext } from '../../delivery/interaction-context.js';
import { stackTooDeep } from '../../interactive.errors.js';
import type { ModalDefinition } from '../validated/modal-definition.js';
import type { ModalTokens } from '../modal-tokens.js';
import { insertModal } from '../modals.queries.js';
import type { OpenedModal } from '../modals.queries.js';
import { COVER_MODAL, REPLACE_MODAL } from '../modals.statements.js';

/** Decisions, section 11.6: the first one included. */
const MAX_STACK = 3;

/** A form that was submitted, and the one that comes instead of it or on top. */
export interface ModalChange {
  context: InteractionContext;
  modalId: string;
  chainDepth: number;
  definition: ModalDefinition;
  ttlSeconds: number;
}

/** Shows another form under the same token, whose life begins anew. */
export async function replaceModal(
  tx: Tx,
  tokens: ModalTokens,
  { context: { spaceId }, modalId, definition, ttlSeconds }: ModalChange,
): Promise<OpenedModal> {
  const isValidated = definition.validated !== undefined;
  await tx.query(REPLACE_MODAL, [spaceId, modalId, definition.json, isValidated, ttlSeconds]);
  return { modal: definition.shown, modalToken: tokens.tokenOf(spaceId, modalId) };
}

/**
 * Lays another form on top, with a token of its own; the one beneath waits until that is done.
 * @throws 400 three are there
 */
export async function pushModal(
  tx: Tx,
  tokens: ModalTokens,
  { context, modalId, chainDepth, definition, ttlSeconds }: ModalChange,
): Promise<OpenedModal> {
  const [covered] = await tx.query(COVER_MODAL, [context.spaceId, modalId, ttlSeconds, MAX_STACK]);
  if (!covered) throw stackTooDeep(MAX_STACK);
  const on = { parentId: modalId, stackDepth: covered.stackDepth + 1 };
  return insertModal(tx, tokens, { context, definition, chainDepth, clickId: undefined, ttlSeconds, on });
}
