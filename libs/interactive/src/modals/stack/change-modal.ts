import type { Tx } from '@tieline/platform/database';
import type { InteractionContext } from '../../interactions/interaction-context.js';
import { stackTooDeep } from '../../interactive.errors.js';
import type { ModalDefinition } from '../validated/modal-definition.js';
import type { ModalTokens } from '../modal-tokens.js';
import { insertModal } from '../modals.queries.js';
import type { OpenedModal } from '../modals.queries.js';
import { COVER_MODAL, REPLACE_MODAL } from './modal-stack.statements.js';

/** Maximum depth, including the first modal. */
const MAX_STACK = 3;

/** A submitted modal and the definition that replaces or covers it. */
export interface ModalChange {
  context: InteractionContext;
  modalId: string;
  chainDepth: number;
  definition: ModalDefinition;
  ttlSeconds: number;
}

/** Replaces the form. The token stays the same and its lifetime restarts. */
export async function replaceModal(
  tx: Tx,
  tokens: ModalTokens,
  { context: { spaceId }, modalId, definition, ttlSeconds }: ModalChange,
): Promise<OpenedModal> {
  const isValidated = definition.validated !== undefined;
  const changed = { spaceId, id: modalId, modal: definition.json, isValidated, ttlSeconds };
  await tx.query(REPLACE_MODAL, changed);
  return { modal: definition.shown, modalToken: tokens.tokenOf(spaceId, modalId) };
}

/**
 * Opens another form on top, with its own token. The form below cannot be used until the new one is
 * done.
 * @throws 400 if three are open
 */
export async function pushModal(
  tx: Tx,
  tokens: ModalTokens,
  { context, modalId, chainDepth, definition, ttlSeconds }: ModalChange,
): Promise<OpenedModal> {
  const { spaceId } = context;
  const below = { spaceId, id: modalId, ttlSeconds, maxDepth: MAX_STACK };
  const [covered] = await tx.query(COVER_MODAL, below);
  if (!covered) throw stackTooDeep(MAX_STACK);
  const on = { parentId: modalId, stackDepth: covered.stackDepth + 1 };
  return insertModal(tx, tokens, { context, definition, chainDepth, clickId: undefined, ttlSeconds, on });
}
