import { asCommandAnswer } from '../answers/answer.js';
import type { Answer } from '../answers/answer.js';
import type { Door, Why } from '../answers/door.js';
import type { LateAnswers } from '../answers/late-answers.js';
import type { Client } from '../../client/client.js';
import type { Envelope } from '../../client/reading/socket.js';
import { happeningOf, happeningOfEnvelope } from '../happening.js';
import type { Happening } from '../happening.js';
import type { Form, FormParts } from './form.js';

type Fields = Readonly<Record<string, unknown>>;

/** Tieline waits three seconds for the answer to a click. */
const PATIENCE_MS = 2500;

/**
 * Holds a socket open (docs/socket.md). What was not acknowledged when it ended comes again by the
 * next one.
 */
export class Socket implements Form {
  private readonly ending = new AbortController();
  private isClosing = false;
  private reading: Promise<void> = Promise.resolve();

  /** @param client one that knows a WebSocket */
  constructor(
    private readonly parts: FormParts,
    private readonly client: Client,
  ) {}

  /**
   * @returns when the first socket stands; an outage is waited out. @throws when Tieline refuses
   * the bot
   */
  async start(): Promise<void> {
    await new Promise<void>((opened, refused) => {
      this.reading = this.read(opened).catch((error: unknown) => {
        refused(error as Error);
        this.parts.fail(error);
      });
    });
  }

  /** What runs is still acknowledged; what comes now is left to the next socket. */
  close(): Promise<void> {
    this.isClosing = true;
    return Promise.resolve();
  }

  async end(): Promise<void> {
    this.ending.abort();
    await this.reading;
  }

  private async read(opened: () => void): Promise<void> {
    const { log } = this.parts;
    const options = {
      signal: this.ending.signal,
      onOpen: () => {
        log('connected by a socket');
        opened();
      },
      onTrouble: (error: unknown) => log('the socket is away', error),
      onRefusedAnswer: ({ error }: { error: string }) => log(`an answer was refused: ${error}`),
    };
    for await (const envelope of this.client.socket<Fields>(options))
      if (!this.isClosing) this.take(envelope);
    opened();
  }

  private take(envelope: Envelope<Fields>): void {
    const { type, envelope_id: id, payload } = envelope;
    const happening =
      type === 'event' ? happeningOfEnvelope(payload) : happeningOf(typeOf(type, payload), payload, id);
    const door = new SocketDoor(happening, envelope);
    void this.parts.engine.take(happening, door).then((outcome) => {
      if (outcome !== 'again') door.acknowledge();
    });
  }
}

/**
 * The answer travels with the acknowledgement, which comes when the handler has ended. A person who
 * is to wait no longer is told before that, and the envelope stays the bot's: should the bot die,
 * it goes to the next socket.
 */
class SocketDoor implements Door {
  readonly retries = 'here';
  readonly canRespond = true;
  readonly patienceMs: number | undefined;
  private held: Fields | undefined;

  constructor(
    private readonly happening: Happening,
    private readonly envelope: Envelope,
  ) {
    this.patienceMs = happening.kind === 'event' ? undefined : PATIENCE_MS;
  }

  async settle(answer: Answer | undefined, why: Why, late: LateAnswers): Promise<boolean> {
    if ((why === 'end' || answer) && this.happening.kind !== 'event') this.held = this.asAnswer(answer);
    if (why === 'end') return true;
    if (answer) late.interactionTaken();
    // The server's own patience ends soon; until then an answer may come.
    if (answer || why === 'later') await this.envelope.later(this.held);
    return answer !== undefined;
  }

  /** With the answer again, in case that was lost: only the first counts. */
  acknowledge(): void {
    this.envelope.ack(this.held);
  }

  private asAnswer(answer: Answer | undefined): Fields {
    if (this.happening.kind === 'options') return { choices: [], ...answer };
    return this.happening.kind === 'command' ? asCommandAnswer(answer ?? {}) : { ...answer };
  }
}

/** A command's payload does not say what it is. */
function typeOf(envelope: string, payload: Fields): string {
  if (typeof payload.event_type === 'string') return payload.event_type;
  return envelope === 'command' ? 'slash.command' : envelope;
}
