import type { RowOf } from '@tieline/platform/database';
import { chatEvents } from '@tieline/conversations';
import { DIRECT_EVENTS, withData } from '../poll/direct-event.js';
import { queuedAt } from '../poll/poll-ids.js';
import type { CLAIM_ENVELOPES } from './envelopes.statements.js';

/** An envelope that was claimed to be sent. */
export type ClaimedEnvelope = RowOf<typeof CLAIM_ENVELOPES>;
/** Why the server closes a socket. */
export type DisconnectReason = 'shutdown' | 'mode' | 'token' | 'slow';
type EnvelopeType = 'event' | 'interaction' | 'command' | 'options';

const DIRECT: ReadonlyMap<string, EnvelopeType> = new Map(Object.entries(DIRECT_EVENTS));

function typeOf(eventType: string): EnvelopeType {
  return DIRECT.get(eventType) ?? 'event';
}

/** Returns the text of an envelope. Stored payloads are inserted without parsing. */
export function envelopeText(spaceId: string, claimed: ClaimedEnvelope): string {
  const type = typeOf(claimed.eventType);
  const start = JSON.stringify({ type, envelope_id: claimed.id, attempt: claimed.attempt });
  const payload = type === 'event' ? pushText(spaceId, claimed) : claimed.payload;
  return `${start.slice(0, -1)},"payload":${payload}}`;
}

export const helloText = (connectionId: string): string =>
  JSON.stringify({ type: 'hello', connection_id: connectionId });

export const PONG_TEXT = '{"type":"pong"}';

export const toldText = (envelopeId: string): string =>
  JSON.stringify({ type: 'told', envelope_id: envelopeId });

export const disconnectText = (reason: DisconnectReason): string =>
  JSON.stringify({ type: 'disconnect', reason });

export const errorText = (envelopeId: string, { code, text }: { code: string; text: string }): string =>
  JSON.stringify({ type: 'error', envelope_id: envelopeId, code, error: text });

function pushText(spaceId: string, claimed: ClaimedEnvelope): string {
  return withData(claimed.head ?? rebuildHead(spaceId, claimed), claimed.payload);
}

/** Rebuilds the head of a record that was queued before sockets existed, from its data. */
function rebuildHead(spaceId: string, { id, eventId, eventType, payload }: ClaimedEnvelope): string {
  const { conversation_id: conversationId } = JSON.parse(payload) as { conversation_id?: string };
  return chatEvents.envelope({
    ...{ eventId, eventType, spaceId, threadId: '', actorUserId: '', data: null },
    conversationId: conversationId ?? '',
    occurredAt: queuedAt(id).toISOString().replace('Z', '000000Z'),
  });
}
