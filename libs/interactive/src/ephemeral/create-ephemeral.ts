import type { Tx } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import type { Metadata } from '../schema/metadata.js';
import type { ComponentSigner } from '../schema/signing/component-signer.js';
import type { EphemeralMessage } from './ephemeral-message.js';
import { storeEphemeral } from './ephemeral.queries.js';

/** An answer for one person alone that has more than a text. */
export interface EphemeralAnswer extends Pick<EphemeralMessage, 'botId' | 'userId' | 'conversationId'> {
  spaceId: string;
  text: string;
  metadata: Metadata;
}

/**
 * Makes an ephemeral message of an answer, in the transaction that carries the answer out. One with
 * buttons is kept until their tokens expire.
 * @throws 400 interactive blocks whose clicks the bot could not be told of
 */
export async function createEphemeral(
  tx: Tx,
  signer: ComponentSigner,
  { spaceId, botId, userId, conversationId, text, metadata }: EphemeralAnswer,
): Promise<EphemeralMessage> {
  const metadataJson = await signer.sign(tx, { spaceId, botId }, metadata);
  const message = { spaceId, id: uuidv7(), conversationId, botId, userId, text, metadataJson };
  if (metadata.isInteractive) await storeEphemeral(tx, message, signer.ttlSeconds);
  return message;
}
