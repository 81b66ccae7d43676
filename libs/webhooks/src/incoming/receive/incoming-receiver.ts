import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { CreateMessage, DeleteMessage, EditMessage, PostMessage } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { ApiError, isUuid, toApiError } from '@tieline/platform/http';
import { Metrics } from '@tieline/platform/observability';
import { LocalRates, RateLimiter, RateLimiterUnavailable } from '@tieline/rate-limit';
import type { RateRule } from '@tieline/rate-limit';
import { newSigningSecret, SecretBox } from '@tieline/signing';
import type { Plan } from '@tieline/spaces';
import { IncomingWebhookSettings } from '../../webhooks.settings.js';
import { openIncomingSecrets, openNativeSecret, sealIncomingSecret } from '../admin/incoming-secret.js';
import type { SealedIncomingSecrets } from '../admin/incoming-secret.js';
import type { IncomingMessage } from '../formats/incoming-message.js';
import type { Dialect } from '@tieline/markup';
import { Rejected } from '../incoming-webhooks.errors.js';
import { IncomingMetrics } from '../incoming.metrics.js';
import { AcceptedSignatures } from '../replay/accepted-signatures.js';
import { requestHash } from '../replay/signed-request.js';
import { RequestLog } from '../requests/request-log.js';
import { deleteIncoming, editIncoming } from './change-message.js';
import { countFailure, resetFailures } from './count-failures.js';
import { findByToken } from './find-by-token.js';
import type { FindByToken, FoundWebhook } from './find-by-token.js';
import { decompressed } from './body/decoded-body.js';
import { messageOf } from './body/message-of.js';
import { postIncoming } from './post-incoming.js';
import { queryKeys } from './query-keys.js';
import type { QueryKeys } from './query-keys.js';
import type { SentBody } from './body/read-body.js';
import { judgeSignature } from './request-signature.js';
import type { JudgedSignature } from './request-signature.js';

/** Messages per second and webhook (contract, Limits). */
const RATES: Readonly<Record<Plan, number>> = { free: 5, pro: 10, enterprise: 30 };
/** Stands in for a webhook that does not exist. */
const NO_WEBHOOK = '00000000-0000-0000-0000-000000000000';

/** A request as it came. */
export interface SentRequest {
  method: string;
  /** The path as it was sent, with its query. */
  target: string;
  token: string;
  address: string;
  headers: IncomingHttpHeaders;
  /** Resolves when the body is there; it is read while the token is looked up. */
  body: Promise<SentBody>;
  /** How the sender writes texts, by its address; Slack's way is the default. */
  dialect?: Dialect;
  /** A message of the webhook that is edited or deleted; absent: a new one is posted. */
  change?: { kind: 'edit' | 'delete'; messageId: string };
}

/** A request whose body is there. */
type ReadRequest = Omit<SentRequest, 'body'> & { body: Buffer; notes: string[] };

/**
 * Receives requests of incoming webhooks (contract, Incoming webhook; decisions, section 9). Checks
 * in this order: token, switched off, size, signature and content type, rate, content; the first
 * that fails decides. All failures look the same to the sender, and all that end in 401 do the same
 * work.
 */
@Injectable()
export class IncomingReceiver {
  private readonly logger = new Logger('IncomingWebhooks');
  private readonly find: FindByToken;
  private readonly signatures: AcceptedSignatures;
  private readonly localRates = new LocalRates();
  /** Verified when the token is unknown, so that the answer takes equally long. */
  private readonly decoy: SealedIncomingSecrets & { nativeSecret: null };

  constructor(
    private readonly db: Db,
    private readonly settings: IncomingWebhookSettings,
    private readonly box: SecretBox,
    private readonly limiter: RateLimiter,
    private readonly log: RequestLog,
    private readonly metrics: Metrics,
    private readonly verdicts: IncomingMetrics,
    private readonly createMessage: CreateMessage,
    private readonly postMessage: PostMessage,
    private readonly editMessage: EditMessage,
    private readonly deleteMessage: DeleteMessage,
  ) {
    this.find = findByToken(db);
    this.signatures = new AcceptedSignatures(db, (error) => this.noteFailed(error));
    this.decoy = {
      id: NO_WEBHOOK,
      signingSecret: sealIncomingSecret(box, NO_WEBHOOK, newSigningSecret()),
      previousSecret: null,
      nativeSecret: null,
    };
  }

  /**
   * @returns the id of the message, durable; undefined where the request posts nothing
   * @throws Rejected whatever is wrong with the request
   */
  async receive(request: SentRequest): Promise<string | undefined> {
    try {
      const messageId = await this.judge(request);
      this.verdicts.request('accepted');
      return messageId;
    } catch (error) {
      const rejected = rejectedFor(error);
      this.verdicts.request(rejected.verdict);
      throw rejected;
    }
  }

  private async judge({ body: coming, ...sent }: SentRequest): Promise<string | undefined> {
    const { token, address, headers, change } = sent;
    const [found, read] = await Promise.all([this.find(token), coming]);
    // A deletion has no body; what came in its place means nothing.
    const body = change?.kind === 'delete' ? { bytes: Buffer.alloc(0) } : read;
    const notes: string[] = [];
    const request: ReadRequest = { ...sent, body: body.bytes, notes };
    try {
      const { webhook, digest } = this.authenticate(found, headers, body);
      const messageId = await this.takeOnce(webhook, request, digest);
      const result = { token, address, notes, body: request.body, messageId };
      this.record(webhook, { ...result, status: 200, reason: '' });
      return messageId;
    } catch (error) {
      const rejected = rejectedFor(error);
      const result = { token, address, notes, body: request.body };
      if (found) this.record(found, { ...result, status: rejected.status, reason: rejected.reason });
      throw rejected;
    }
  }

  /**
   * @returns the webhook, and the digest of the signature where one was required and tells requests
   * apart
   * @throws Rejected 400, 401, 410, 413
   */
  private authenticate(
    webhook: FoundWebhook | undefined,
    headers: IncomingHttpHeaders,
    body: SentBody,
  ): { webhook: FoundWebhook; digest?: Buffer | undefined } {
    const unsigned = webhook?.requireSignature === false && webhook.spaceIsActive;
    const signature = unsigned ? undefined : this.judgeSignature(webhook ?? this.decoy, headers, body.bytes);
    if (!webhook) throw new Rejected(401, 'unknown token', {}, 'unknown_token');
    if (!webhook.spaceIsActive) throw new Rejected(401, 'the space is inactive', {}, 'switched_off');
    if (!webhook.isActive) throw new Rejected(410, 'the webhook is switched off', {}, 'switched_off');
    if (body.fault === 'too large') throw new Rejected(413, 'body over 262144 bytes');
    if (body.fault === 'incomplete')
      throw new Rejected(400, 'the body broke off, or took longer than 30 seconds');
    if (signature?.fault !== undefined) throw new Rejected(401, signature.fault);
    return { webhook, digest: signature?.digest };
  }

  private judgeSignature(
    webhook: SealedIncomingSecrets & { nativeSecret: Buffer | null },
    headers: IncomingHttpHeaders,
    body: Buffer,
  ): JudgedSignature {
    const { id, nativeSecret: sealed } = webhook;
    const native = sealed && { secret: openNativeSecret(this.box, id, sealed) };
    return judgeSignature(headers, body, { own: openIncomingSecrets(this.box, webhook), native }, Date.now());
  }

  /**
   * Answers an exact repeat of a signed request with the stored result, and refuses other uses of
   * its signature (docs/incoming-webhooks.md#signatures).
   */
  private async takeOnce(
    webhook: FoundWebhook,
    request: ReadRequest,
    digest: Buffer | undefined,
  ): Promise<string | undefined> {
    if (!webhook.replayProtection || digest === undefined) return this.takeAndCount(webhook, request);
    const { headers, method, target, change, notes } = request;
    const signed = {
      webhookId: webhook.id,
      signature: digest,
      subject: change?.kind === 'delete' && isUuid(change.messageId) ? change.messageId : '',
      requestHash: requestHash({ method, target, idempotencyKey: keyOf(headers) }),
    };
    const { messageId, isRepeat } = await this.signatures.once(signed, () =>
      this.takeAndCount(webhook, request),
    );
    if (isRepeat) notes.push('exact repeat of an accepted request: answered with its result');
    return messageId;
  }

  /** From here on the request is authenticated, and its failure counts. */
  private async takeAndCount(webhook: FoundWebhook, request: ReadRequest): Promise<string | undefined> {
    try {
      const messageId = await this.take(webhook, request);
      if (messageId === undefined) request.notes.push('resolved without an open message: nothing was posted');
      else if (webhook.consecutiveFailures > 0) await this.counted(resetFailures(this.db, webhook));
      return messageId;
    } catch (error) {
      const { status } = rejectedFor(error);
      if (status === 400 || status >= 500)
        await this.counted(countFailure(this.db, webhook, this.settings.autoDisableThreshold));
      throw error;
    }
  }

  private async take(webhook: FoundWebhook, request: ReadRequest): Promise<string | undefined> {
    const { db, createMessage, postMessage, editMessage, deleteMessage } = this;
    const { headers, target, notes, change } = request;
    if (change?.kind === 'delete') {
      await this.charge(webhook);
      await deleteIncoming({ db, editMessage, deleteMessage }, webhook, change.messageId);
      return change.messageId;
    }
    await this.charge(webhook);
    const keys = change ? {} : queryKeys(target);
    // From here on the request log has the body as it is read.
    request.body = await decompressed(request.body, headers);
    const message = await readMessage(webhook, request, keys);
    notes.push(...message.notes);
    if (change) {
      await editIncoming({ db, editMessage, deleteMessage }, webhook, change.messageId, message);
      return change.messageId;
    }
    const key = keyOf(headers);
    const keyed = key === undefined ? undefined : { key, body: request.body };
    return postIncoming({ db, createMessage, postMessage, editMessage }, webhook, message, keyed);
  }

  /** Requests that are refused later use their rate up all the same (decisions, section 1). */
  private async charge({ id, plan }: FoundWebhook): Promise<void> {
    const rule = { key: `incoming:${id}`, limit: RATES[plan], windowMs: 1000 };
    if (!(await this.hasRoom(rule)))
      throw new Rejected(429, `more than ${RATES[plan]} messages per second`, { 'retry-after': '1' });
  }

  /**
   * While the store of the limits is away this process counts by itself: a lost alert is worse than
   * one too many (decisions, section 11.3).
   */
  private async hasRoom(rule: RateRule): Promise<boolean> {
    try {
      return (await this.limiter.consume([rule])).allowed;
    } catch (error) {
      if (!(error instanceof RateLimiterUnavailable)) throw error;
      return this.localRates.consume(rule);
    }
  }

  /** The sender gets its answer even when what came of it can't be noted. */
  private async counted(change: Promise<void>): Promise<void> {
    await change.catch((error: unknown) => this.noteFailed(error));
  }

  private noteFailed(error: unknown): void {
    this.metrics.failure('incoming_failure_count');
    this.logger.error('the outcome of a request to an incoming webhook could not be stored', error);
  }

  private record(
    { spaceId, id }: FoundWebhook,
    request: Omit<Parameters<RequestLog['add']>[0], 'spaceId' | 'webhookId'>,
  ): void {
    this.log.add({ ...request, spaceId, webhookId: id });
  }
}

/** The `Idempotency-Key`; an empty one counts as absent. */
function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
}

/** @throws Rejected 400 */
async function readMessage(
  { severityFromColor, groupAlerts }: FoundWebhook,
  { headers, body, dialect = 'slack' }: ReadRequest,
  keys: QueryKeys,
): Promise<IncomingMessage> {
  const event = headers['x-github-event'];
  const hints = { event: typeof event === 'string' ? event : undefined, groupAlerts };
  const parsed = await messageOf(
    { bytes: body, contentType: headers['content-type'] },
    { severityFromColor, dialect, ...hints, keys },
  );
  if (!parsed.ok) throw new Rejected(400, parsed.reason);
  return { ...parsed.message, ...keys };
}

/** 502 when a store is away, so that senders try again (contract, Errors). */
function rejectedFor(error: unknown): Rejected {
  if (error instanceof Rejected) return error;
  const { status, text, headers } = toApiError(error);
  const cause = error instanceof ApiError ? undefined : error;
  if (status === 503) return Object.assign(new Rejected(502, 'a store was away', headers), { cause });
  return Object.assign(new Rejected(status, text), { cause });
}
