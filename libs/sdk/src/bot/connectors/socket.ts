import { asCommandAnswer } from '../answers/answer.js';
import type { Answer } from '../answers/answer.js';
import type { AnswerSender, SettleReason } from '../answers/answer-sender.js';
import type { LateAnswers } from '../answers/late-answers.js';
import type { Client } from '../../client/client.js';
import type { Envelope } from '../../client/reading/socket.js';
import { toActivity, envelopeToActivity } from '../activity.js';
import type { Activity } from '../activity.js';
import type { Connector, ConnectorDependencies } from './connector.js';

type Fields = Readonly<Record<string, unknown>>;

/** Tieline waits 3 seconds for the answer to a click. */
const ANSWER_WITHIN_MS = 2500;

/**
 * Receives activities over a socket (docs/socket.md). Unacknowledged ones are sent again over the
 * next socket.
 */
export class Socket implements Connector {
  private readonly ending = new AbortController();
  private isClosing = false;
  private reading: Promise<void> = Promise.resolve();

  /** @param client a client with a WebSocket implementation */
  constructor(
    private readonly services: ConnectorDependencies,
    private readonly client: Client,
  ) {}

  /**
   * @returns when the first socket is open; waits out an outage
   * @throws when Tieline refuses the bot
   */
  async start(): Promise<void> {
    await new Promise<void>((opened, refused) => {
      this.reading = this.read(opened).catch((error: unknown) => {
        refused(error as Error);
        this.services.fail(error);
      });
    });
  }

  /** Running activities are still acknowledged. New ones are left to the next socket. */
  close(): Promise<void> {
    this.isClosing = true;
    return Promise.resolve();
  }

  async end(): Promise<void> {
    this.ending.abort();
    await this.reading;
  }

  private async read(opened: () => void): Promise<void> {
    const { log } = this.services;
    const options = {
      signal: this.ending.signal,
      onOpen: () => {
        log('connected by socket');
        opened();
      },
      onTrouble: (error: unknown) => log('the socket is disconnected', error),
      onRefusedAnswer: ({ error }: { error: string }) => log(`an answer was rejected: ${error}`),
    };
    for await (const envelope of this.client.socket<Fields>(options))
      if (!this.isClosing) this.take(envelope);
    opened();
  }

  private take(envelope: Envelope<Fields>): void {
    const { type, envelope_id: id, payload } = envelope;
    const activity =
      type === 'event' ? envelopeToActivity(payload) : toActivity(typeOf(type, payload), payload, id);
    const sender = new SocketAnswerSender(activity, envelope);
    void this.services.engine.handle(activity, sender).then((outcome) => {
      if (outcome !== 'again') sender.acknowledge();
    });
  }
}

/**
 * Sends the answer with the acknowledgement when the handler has ended. To release the person
 * earlier, sends the answer before that and keeps the envelope open: if the bot dies, the next
 * socket receives it again.
 */
class SocketAnswerSender implements AnswerSender {
  readonly retries = 'here';
  readonly canRespond = true;
  readonly answerWithinMs: number | undefined;
  private held: Fields | undefined;

  constructor(
    private readonly activity: Activity,
    private readonly envelope: Envelope,
  ) {
    this.answerWithinMs = activity.kind === 'event' ? undefined : ANSWER_WITHIN_MS;
  }

  async settle(answer: Answer | undefined, why: SettleReason, late: LateAnswers): Promise<boolean> {
    if ((why === 'end' || answer) && this.activity.kind !== 'event') this.held = this.asAnswer(answer);
    if (why === 'end') return true;
    if (answer) late.markInteractionUsed();
    // Tieline's own time limit ends soon. Until then an answer may still be sent.
    if (answer || why === 'later') await this.envelope.later(this.held);
    return answer !== undefined;
  }

  /** Repeats the answer in case it was lost. Tieline uses only the first. */
  acknowledge(): void {
    this.envelope.ack(this.held);
  }

  private asAnswer(answer: Answer | undefined): Fields {
    if (this.activity.kind === 'options') return { choices: [], ...answer };
    return this.activity.kind === 'command' ? asCommandAnswer(answer ?? {}) : { ...answer };
  }
}

/** Returns the type of an envelope. The payload of a command does not contain it. */
function typeOf(envelope: string, payload: Fields): string {
  if (typeof payload.event_type === 'string') return payload.event_type;
  return envelope === 'command' ? 'slash.command' : envelope;
}
