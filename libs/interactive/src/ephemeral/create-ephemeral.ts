import type { Tx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import type { Metadata } from '../schema/metadata.js';
import type { ComponentSigner } from '../schema/signing/component-signer.js';
import type { EphemeralMessage } from './ephemeral-message.js';
import { storeEphemeral } from './ephemeral.queries.js';

/** An ephemeral answer with metadata or blocks. */
export interface EphemeralAnswer extends Pick<EphemeralMessage, 'botId' | 'userId' | 'conversationId'> {
  spaceId: string;
  text: string;
  metadata: Metadata | undefined;
  /** The message in the format of another product, unchanged. */
  sourceJson?: string | undefined;
  /** Whether people can use something in it besides the metadata. */
  hasElements?: boolean | undefined;
}

/**
 * Creates an ephemeral message from an answer, in the transaction that applies the answer. Messages
 * with buttons are stored until their tokens expire.
 * @throws 400 for interactive blocks whose clicks could not be delivered to the bot
 */
export async function createEphemeral(
  tx: Tx,
  signer: ComponentSigner,
  { spaceId, botId, userId, conversationId, text, metadata, sourceJson, hasElements }: EphemeralAnswer,
): Promise<EphemeralMessage> {
  const metadataJson = metadata ? await signer.sign(tx, { spaceId, botId }, metadata) : null;
  const shown = { text, metadataJson, sourceJson: sourceJson ?? null };
  const message = { spaceId, id: uuidv7(), conversationId, botId, userId, ...shown };
  if (metadata?.isInteractive || hasElements) await storeEphemeral(tx, message, signer.ttlSeconds);
  return message;
}
