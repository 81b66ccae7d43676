import { Injectable } from '@nestjs/common';
import { isEnvelopeId, isSlackType, SLACK_INTERACTION, withData } from '@tieline/bots';
import type { ClaimedEnvelope, DisconnectReason, SocketDialect, SocketMessage } from '@tieline/bots';
import type { BotPrincipal } from '@tieline/platform/http';
import { commandAnswer } from '../commands/command-answer.js';
import type { CommandPayload } from '../commands/command-fields.js';
import { CommandRequests } from '../commands/command-requests.js';

const COMMAND = 'slash.command';
/** Why Slack's clients connect again or stop. */
const REASONS: Readonly<Record<DisconnectReason, string>> = {
  shutdown: 'refresh_requested',
  slow: 'warning',
  mode: 'link_disabled',
  token: 'link_disabled',
};

/** The messages of socket mode (docs/slack-apps.md#socket-mode). */
@Injectable()
export class SlackDialect implements SocketDialect {
  readonly format = 'slack';

  constructor(private readonly commands: CommandRequests) {}

  hello(connectionId: string): string {
    return JSON.stringify({
      type: 'hello',
      num_connections: 1,
      debug_info: { host: 'tieline', connection_id: connectionId },
    });
  }

  disconnect(reason: DisconnectReason): string {
    return JSON.stringify({ type: 'disconnect', reason: REASONS[reason], debug_info: { reason } });
  }

  /** Slack has no message for a wrong answer. The person who waits is notified. */
  error(): undefined {
    return undefined;
  }

  async envelopes(
    { spaceId, botId }: { spaceId: string; botId: string },
    claimed: readonly ClaimedEnvelope[],
  ): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    for (const envelope of claimed)
      if (envelope.eventType === SLACK_INTERACTION) texts.set(envelope.id, interactionText(envelope));
      else if (isSlackType(envelope.eventType)) texts.set(envelope.id, eventText(envelope));
    const commands = claimed
      .filter(({ eventType }) => eventType === COMMAND)
      .map(({ id, payload }) => ({ id, payload: JSON.parse(payload) as CommandPayload }));
    const fields = await this.commands.fieldsOf({ spaceId, botId }, commands);
    for (const [id, payload] of fields)
      texts.set(
        id,
        JSON.stringify({
          envelope_id: id,
          type: 'slash_commands',
          accepts_response_payload: true,
          payload,
        }),
      );
    return texts;
  }

  read(message: unknown): SocketMessage | undefined {
    if (typeof message !== 'object' || message === null) return undefined;
    const { envelope_id: id, payload } = message as Partial<Record<string, unknown>>;
    return isEnvelopeId(id) ? { kind: 'acknowledgement', id, answer: payload, isLater: false } : undefined;
  }

  answer(_bot: BotPrincipal, eventType: string, answer: unknown): unknown {
    // An acknowledgement without a payload answers an interaction, too.
    if (eventType === SLACK_INTERACTION) return isEmpty(answer) ? {} : answer;
    return eventType === COMMAND ? commandAnswer(answer) : undefined;
  }
}

/** The envelope ends with the event, which is inserted without parsing. */
function eventText({ id, attempt, head, payload }: ClaimedEnvelope): string {
  const start = JSON.stringify({
    envelope_id: id,
    type: 'events_api',
    accepts_response_payload: false,
    retry_attempt: attempt - 1,
    retry_reason: attempt > 1 ? 'timeout' : '',
  });
  return `${start.slice(0, -1)},"payload":${withData(head ?? '', payload)}}`;
}

/** The interaction is inserted without parsing. */
function interactionText({ id, payload }: ClaimedEnvelope): string {
  const start = JSON.stringify({ envelope_id: id, type: 'interactive', accepts_response_payload: true });
  return `${start.slice(0, -1)},"payload":${payload}}`;
}

const isEmpty = (answer: unknown): boolean => answer === undefined || answer === null || answer === '';
