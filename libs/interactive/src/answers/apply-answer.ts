import { createMessage, editMessage } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import type { BotAnswer } from './bot-answer.js';
import type { ComponentSigner } from '../schema/signing/component-signer.js';
import type { InteractionContext } from '../clicks/interaction-context.js';
import { editRefused, postRefused } from '../interactive.errors.js';
import type { Metadata } from '../schema/metadata.js';
import type { ModalTokens } from '../modals/modal-token.js';
import { insertModal } from '../modals/modals.queries.js';
import type { OpenedModal } from '../modals/modals.queries.js';

/** What answers are carried out with. */
export interface AnswerTools {
  signer: ComponentSigner;
  tokens: ModalTokens;
  modalTtlSeconds: number;
}

/** What is answered, and where it stands in a chain of modals. */
export interface Answered {
  context: InteractionContext;
  /** The click that it is; undefined for a submitted modal. */
  clickId: string | undefined;
  /** How many modals of one chain came before. */
  chainDepth: number;
}

/** What became of an answer. */
export type Effect =
  | { result: 'update_message' | 'send_message'; messageId: string }
  | { result: 'ephemeral'; ephemeralText: string }
  | ({ result: 'open_modal' } & OpenedModal)
  | { result: 'noop' };

/**
 * Carries out a bot's answer (contract, Interactive, "Response types"), in the caller's transaction. The bot acts as
 * itself: it edits its own message wherever that is, and posts only where it is a member.
 * @throws 400 interactive blocks that nobody could be told about; 403 no member, archived; 409 a run's placeholder; 410 deleted
 */
export async function applyAnswer(
  tx: Tx,
  tools: AnswerTools,
  answered: Answered,
  answer: BotAnswer,
): Promise<Effect> {
  switch (answer.kind) {
    case 'update_message':
      return update(tx, tools, answered.context, answer);
    case 'send_message':
      return send(tx, tools, answered.context, answer);
    case 'ephemeral':
      return { result: 'ephemeral', ephemeralText: answer.text };
    case 'open_modal':
      return { result: 'open_modal', ...(await open(tx, tools, answered, answer.modal)) };
    case 'noop':
      return { result: 'noop' };
  }
}

type Update = Extract<BotAnswer, { kind: 'update_message' }>;
type Send = Extract<BotAnswer, { kind: 'send_message' }>;

async function update(
  tx: Tx,
  tools: AnswerTools,
  context: InteractionContext,
  { text, metadata }: Update,
): Promise<Effect> {
  const { spaceId, botId, messageId } = context;
  const metadataJson = metadata == null ? metadata : await sign(tx, tools, context, metadata);
  const edited = await editMessage(tx, {
    spaceId,
    messageId,
    editor: { id: botId, type: 'bot' },
    text,
    metadataJson,
  });
  if ('refused' in edited) throw editRefused(edited.refused);
  return { result: 'update_message', messageId };
}

/** Beside the message that was clicked: in its thread, if that is where it is. */
async function send(
  tx: Tx,
  tools: AnswerTools,
  context: InteractionContext,
  { text, metadata }: Send,
): Promise<Effect> {
  const { spaceId, botId, conversationId, threadId } = context;
  const metadataJson = metadata && (await sign(tx, tools, context, metadata));
  const created = await createMessage(tx, {
    spaceId,
    conversationId,
    author: { id: botId, type: 'bot' },
    text,
    metadataJson,
    parentMessageId: threadId ?? undefined,
  });
  if ('refused' in created) throw postRefused(created.refused);
  return { result: 'send_message', messageId: created.messageId };
}

function open(
  tx: Tx,
  { tokens, modalTtlSeconds }: AnswerTools,
  { context, clickId, chainDepth }: Answered,
  modal: OpenedModal['modal'],
): Promise<OpenedModal> {
  return insertModal(tx, tokens, {
    context,
    modal,
    chainDepth: chainDepth + 1,
    clickId,
    ttlSeconds: modalTtlSeconds,
  });
}

function sign(
  tx: Tx,
  { signer }: AnswerTools,
  context: InteractionContext,
  metadata: Metadata,
): Promise<string> {
  return signer.sign(tx, context, metadata);
}
