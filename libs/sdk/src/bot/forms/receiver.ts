import { asCommandAnswer } from '../answers/answer.js';
import type { Answer } from '../answers/answer.js';
import type { Door, Why } from '../answers/door.js';
import type { Outcome } from '../engine/engine.js';
import { Remembered } from '../engine/remembered.js';
import { happeningOf, happeningOfEnvelope, typeOfCallback } from '../happening.js';
import type { Happening } from '../happening.js';
import type { FormParts } from './form.js';
import type { Secret } from './secrets.js';
import { verified } from './verified.js';
import type { SignedRequest } from './verified.js';

/** What it is answered with. */
export interface Reply {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** A reply and the work that may go on after it. */
export interface Received {
  reply: Promise<Reply>;
  done: Promise<unknown>;
}

/**
 * Tieline waits 3 seconds for the answer to a click, a form or a command, one second for choices,
 * and 5 for a push.
 */
const PATIENCE_MS = 2500;
const OPTIONS_PATIENCE_MS = 800;
const PUSH_PATIENCE_MS = 4500;
/** Nothing says when Tieline has carried a reply out; it rarely takes longer. */
const CARRIED_OUT_WITHIN_MS = 250;
const FIRST_PUSH_RETRY_SECONDS = 5;
const LONGEST_PUSH_RETRY_SECONDS = 320;
const REPLIES_KEPT = 1000;

const EMPTY: Reply = { status: 200, body: '{}', headers: { 'content-type': 'application/json' } };

/**
 * Takes what Tieline POSTs, pushes and callbacks alike, at whatever path (docs/push.md,
 * docs/interactive.md).
 */
export class Receiver {
  /** A request may come twice when its connection broke: the answer is the same. */
  private readonly replies = new Remembered<Promise<Reply>>(REPLIES_KEPT);

  constructor(
    private readonly parts: FormParts,
    private readonly secrets: readonly Secret[],
  ) {}

  async receive(request: SignedRequest): Promise<Received> {
    if (request.method !== 'POST') return refuse(405);
    const signature = await verified(request, this.secrets);
    if (!signature) return refuse(401);
    const payload = parsed(request.body);
    if (!payload) return refuse(400);
    const isPush = signature.scheme === 'bot_push';
    const type = isPush ? '' : typeOfCallback(payload);
    if (!isPush && !type) return { reply: Promise.resolve(EMPTY), done: Promise.resolve() };
    const happening = isPush ? happeningOfEnvelope(payload) : happeningOf(type, payload, signature.text);
    if (!signature.secret.signs(signature.scheme, happening)) return refuse(401);
    return isPush ? this.push(request, happening) : this.callback(happening);
  }

  /**
   * Acknowledged when it is handled. What takes longer is asked for again, and not handled again.
   */
  private push({ headers }: SignedRequest, happening: Happening): Received {
    const done = this.parts.engine.take(happening, new PushDoor());
    const wait = Math.min(
      FIRST_PUSH_RETRY_SECONDS * 2 ** (Number(headers['x-service-attempt'] ?? 1) - 1),
      LONGEST_PUSH_RETRY_SECONDS,
    );
    const busy: Reply = { status: 429, headers: { 'retry-after': String(wait) } };
    const reply = within(
      done.then((outcome) => ({ status: outcome === 'again' ? 503 : 200 })),
      PUSH_PATIENCE_MS,
      busy,
    );
    return { reply, done };
  }

  private callback(happening: Happening): Received {
    const known = this.replies.get(happening.key);
    if (known) return { reply: known, done: Promise.resolve() };
    const door = new CallbackDoor(happening);
    const done = this.parts.engine.take(happening, door);
    // What is answered to a form that was left is ignored.
    const handled = happening.kind === 'closed' ? within(done, PATIENCE_MS, 'done' as const) : done;
    const reply = Promise.race([door.reply, handled.then((outcome) => door.replied(outcome))]);
    this.replies.set(happening.key, reply);
    void reply.then(({ status }) => status === 200 || this.replies.delete(happening.key));
    return { reply, done };
  }
}

/** The reply to the request is the answer. Tieline asks once. */
class CallbackDoor implements Door {
  readonly retries = 'nobody';
  readonly canRespond = false;
  readonly patienceMs: number;
  readonly reply: Promise<Reply>;
  private give: (reply: Reply) => void = () => undefined;

  constructor(private readonly happening: Happening) {
    this.patienceMs = happening.kind === 'options' ? OPTIONS_PATIENCE_MS : PATIENCE_MS;
    this.reply = new Promise((given) => (this.give = given));
  }

  async settle(answer: Answer | undefined, why: Why): Promise<boolean> {
    const given = answer && this.happening.kind === 'command' ? asCommandAnswer(answer) : answer;
    this.give({ ...EMPTY, body: JSON.stringify(given ?? {}) });
    // What is answered next must not overtake it.
    if (answer && why !== 'end') await new Promise((done) => setTimeout(done, CARRIED_OUT_WITHIN_MS));
    return true;
  }

  /** Whatever was settled before wins. A failure is told, so that the person may try again. */
  async replied(outcome: Outcome): Promise<Reply> {
    const failed = outcome === 'again' ? 503 : 500;
    this.give(outcome === 'done' ? EMPTY : { status: failed });
    return this.reply;
  }
}

/** Nobody waits for more than the status. */
class PushDoor implements Door {
  readonly retries = 'server';
  readonly canRespond = false;

  settle(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

function refuse(status: number): Received {
  return { reply: Promise.resolve({ status }), done: Promise.resolve() };
}

function parsed(body: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

async function within<T>(promise: Promise<T>, ms: number, otherwise: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<T>((done) => (timer = setTimeout(() => done(otherwise), ms)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
