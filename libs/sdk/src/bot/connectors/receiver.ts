import { asCommandAnswer } from '../answers/answer.js';
import type { Answer } from '../answers/answer.js';
import type { AnswerSender, SettleReason } from '../answers/answer-sender.js';
import type { Outcome } from '../engine/engine.js';
import { BoundedMap } from '../engine/bounded-map.js';
import { toActivity, envelopeToActivity, callbackType } from '../activity.js';
import type { Activity } from '../activity.js';
import type { ConnectorDependencies } from './connector.js';
import type { Secret } from './secrets.js';
import { verifyRequest } from './verify-request.js';
import type { SignedRequest } from './verify-request.js';

/** Response to a request. */
export interface Reply {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** A response, and the work that may continue after it. */
export interface ReceiveResult {
  reply: Promise<Reply>;
  done: Promise<unknown>;
}

/**
 * Tieline waits 3 seconds for the response to a click, form or command, 1 second for choices and 5
 * for a push.
 */
const ANSWER_WITHIN_MS = 2500;
const SUGGEST_WITHIN_MS = 800;
const ACKNOWLEDGE_WITHIN_MS = 4500;
/** Assumed time until Tieline has processed a response. Nothing signals it. */
const PROCESSING_MS = 250;
const FIRST_PUSH_RETRY_SECONDS = 5;
const LONGEST_PUSH_RETRY_SECONDS = 320;
const REPLIES_KEPT = 1000;

const EMPTY: Reply = { status: 200, body: '{}', headers: { 'content-type': 'application/json' } };

/** Receives pushes and callbacks at any path (docs/push.md, docs/interactive.md). */
export class Receiver {
  /** A request may arrive twice if its connection broke. It then gets the same response. */
  private readonly replies = new BoundedMap<Promise<Reply>>(REPLIES_KEPT);

  constructor(
    private readonly services: ConnectorDependencies,
    private readonly secrets: readonly Secret[],
  ) {}

  async receive(request: SignedRequest): Promise<ReceiveResult> {
    if (request.method !== 'POST') return refuse(405);
    const signature = await verifyRequest(request, this.secrets);
    if (!signature) return refuse(401);
    const payload = parsed(request.body);
    if (!payload) return refuse(400);
    const isPush = signature.scheme === 'bot_push';
    const type = isPush ? '' : callbackType(payload);
    if (!isPush && !type) return { reply: Promise.resolve(EMPTY), done: Promise.resolve() };
    const activity = isPush ? envelopeToActivity(payload) : toActivity(type, payload, signature.text);
    if (!signature.secret.signs(signature.scheme, activity)) return refuse(401);
    return isPush ? this.push(request, activity) : this.callback(activity);
  }

  /**
   * Acknowledges a push once it is handled. If that takes longer, Tieline sends it again, and it is
   * not handled again.
   */
  private push({ headers }: SignedRequest, activity: Activity): ReceiveResult {
    const done = this.services.engine.handle(activity, new PushAnswerSender());
    const wait = Math.min(
      FIRST_PUSH_RETRY_SECONDS * 2 ** (Number(headers['x-service-attempt'] ?? 1) - 1),
      LONGEST_PUSH_RETRY_SECONDS,
    );
    const busy: Reply = { status: 429, headers: { 'retry-after': String(wait) } };
    const reply = within(
      done.then((outcome) => ({ status: outcome === 'again' ? 503 : 200 })),
      ACKNOWLEDGE_WITHIN_MS,
      busy,
    );
    return { reply, done };
  }

  private callback(activity: Activity): ReceiveResult {
    const known = this.replies.get(activity.key);
    if (known) return { reply: known, done: Promise.resolve() };
    const sender = new CallbackAnswerSender(activity);
    const done = this.services.engine.handle(activity, sender);
    // The answer to a closed form is ignored.
    const handled = activity.kind === 'closed' ? within(done, ANSWER_WITHIN_MS, 'done' as const) : done;
    const reply = Promise.race([sender.reply, handled.then((outcome) => sender.replied(outcome))]);
    this.replies.set(activity.key, reply);
    void reply.then(({ status }) => status === 200 || this.replies.delete(activity.key));
    return { reply, done };
  }
}

/** Sends the answer in the response to the request. Tieline sends a callback only once. */
class CallbackAnswerSender implements AnswerSender {
  readonly retries = 'none';
  readonly canRespond = false;
  readonly answerWithinMs: number;
  readonly reply: Promise<Reply>;
  private give: (reply: Reply) => void = () => undefined;

  constructor(private readonly activity: Activity) {
    this.answerWithinMs = activity.kind === 'options' ? SUGGEST_WITHIN_MS : ANSWER_WITHIN_MS;
    this.reply = new Promise((given) => (this.give = given));
  }

  async settle(answer: Answer | undefined, why: SettleReason): Promise<boolean> {
    const given = answer && this.activity.kind === 'command' ? asCommandAnswer(answer) : answer;
    this.give({ ...EMPTY, body: JSON.stringify(given ?? {}) });
    // Waits, so that the next answer does not overtake this one.
    if (answer && why !== 'end') await new Promise((done) => setTimeout(done, PROCESSING_MS));
    return true;
  }

  /**
   * Responds after the handler, unless already done. A failure is reported, so that the person may
   * try again.
   */
  async replied(outcome: Outcome): Promise<Reply> {
    const failed = outcome === 'again' ? 503 : 500;
    this.give(outcome === 'done' ? EMPTY : { status: failed });
    return this.reply;
  }
}

/** A push expects only a status. */
class PushAnswerSender implements AnswerSender {
  readonly retries = 'server';
  readonly canRespond = false;

  settle(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

function refuse(status: number): ReceiveResult {
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
