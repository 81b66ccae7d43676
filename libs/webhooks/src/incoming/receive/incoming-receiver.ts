import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { CreateMessage, DeleteMessage, EditMessage, PostMessage } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { ApiError, isUuid, toApiError } from '@tieline/platform/http';
import { Metrics } from '@tieline/platform/observability';
import { isRefusal, RateLimiter } from '@tieline/rate-limit';
import { newSigningSecret, SecretBox } from '@tieline/signing';
import { IncomingWebhookSettings } from '../../webhooks.settings.js';
import { openIncomingSecrets, openNativeSecret, sealIncomingSecret } from '../admin/incoming-secret.js';
import type { SealedIncomingSecrets } from '../admin/incoming-secret.js';
import { Rejected } from '../incoming-webhooks.errors.js';
import { IncomingMetrics } from '../incoming.metrics.js';
import { AcceptedSignatures } from '../replay/accepted-signatures.js';
import { RefusedSignatures } from '../replay/refused-signatures.js';
import { requestHash } from '../replay/signed-request.js';
import { RequestLog } from '../requests/request-log.js';
import { deleteIncoming, editIncoming } from './change-message.js';
import { countFailure, resetFailures } from './count-failures.js';
import { findByToken } from './find-by-token.js';
import type { FindByToken, FoundWebhook } from './find-by-token.js';
import { IncomingRates, tooManyRequests } from './incoming-rates.js';
import { decompressed } from './body/decoded-body.js';
import { findRepeat, postIncoming } from './post-incoming.js';
import type { PostedIncoming } from './post-incoming.js';
import { queryKeys } from './query-keys.js';
import type { SentBody } from './body/read-body.js';
import { judgeSignature } from './request-signature.js';
import type { JudgedSignature } from './request-signature.js';
import { incomingKey, keyOf, readMessage } from './sent-request.js';
import type { ReadRequest, SentRequest } from './sent-request.js';

/** Stands in for a webhook that does not exist. */
const NO_WEBHOOK = '00000000-0000-0000-0000-000000000000';

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
  private readonly refused = new RefusedSignatures();
  private readonly rates: IncomingRates;
  /** Verified when the token is unknown, so that the answer takes equally long. */
  private readonly decoy: SealedIncomingSecrets & { nativeSecret: null };

  constructor(
    private readonly db: Db,
    private readonly settings: IncomingWebhookSettings,
    private readonly box: SecretBox,
    limiter: RateLimiter,
    private readonly log: RequestLog,
    private readonly metrics: Metrics,
    private readonly verdicts: IncomingMetrics,
    private readonly createMessage: CreateMessage,
    private readonly postMessage: PostMessage,
    private readonly editMessage: EditMessage,
    private readonly deleteMessage: DeleteMessage,
  ) {
    this.find = findByToken(db);
    this.rates = new IncomingRates(limiter);
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
    const request: ReadRequest = { ...sent, body: body.bytes, notes, wasRefused: false };
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
    request.wasRefused = this.refused.has(webhook.id, digest);
    const { headers, method, target, change, notes } = request;
    const signed = {
      webhookId: webhook.id,
      signature: digest,
      subject: change?.kind === 'delete' && isUuid(change.messageId) ? change.messageId : '',
      requestHash: requestHash({ method, target, idempotencyKey: keyOf(headers) }),
    };
    const work = async (): Promise<string | undefined> => {
      try {
        return await this.takeAndCount(webhook, request);
      } catch (error) {
        if (isRefusal(error)) this.refused.add(webhook.id, digest);
        throw error;
      }
    };
    const { messageId, isRepeat } = await this.signatures.once(signed, work);
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
      if ((status === 400 && !request.wasRefused) || status >= 500)
        await this.counted(countFailure(this.db, webhook, this.settings.autoDisableThreshold));
      throw error;
    }
  }

  private async take(webhook: FoundWebhook, request: ReadRequest): Promise<string | undefined> {
    const { db, editMessage, deleteMessage } = this;
    const { headers, change } = request;
    if (!change) return (await this.post(webhook, request)).messageId;
    if (!(await this.rates.count(webhook, request.wasRefused))) throw tooManyRequests(webhook);
    if (change.kind === 'delete') {
      await deleteIncoming({ db, editMessage, deleteMessage }, webhook, change.messageId);
      return change.messageId;
    }
    // From here on the request log has the body as it is read.
    request.body = await decompressed(request.body, headers);
    const message = await readMessage(webhook, request, {});
    request.notes.push(...message.notes);
    await editIncoming({ db, editMessage, deleteMessage }, webhook, change.messageId, message);
    return change.messageId;
  }

  private async post(webhook: FoundWebhook, request: ReadRequest): Promise<PostedIncoming> {
    const { db, createMessage, postMessage, editMessage } = this;
    const hit = await this.rates.count(webhook, request.wasRefused);
    if (!hit) return this.repeatOrRefuse(webhook, request);
    const keys = queryKeys(request.target);
    // From here on the request log has the body as it is read.
    request.body = await decompressed(request.body, request.headers);
    const message = await readMessage(webhook, request, keys);
    request.notes.push(...message.notes);
    const posted = await postIncoming(
      { db, createMessage, postMessage, editMessage },
      webhook,
      message,
      incomingKey(request),
    );
    if (posted.isRepeat) await hit.refund();
    return posted;
  }

  /**
   * Answers a repeat with an `Idempotency-Key` although the rate is used up.
   * @throws Rejected 429 for any other request
   */
  private async repeatOrRefuse(webhook: FoundWebhook, request: ReadRequest): Promise<PostedIncoming> {
    if (keyOf(request.headers) === undefined) throw tooManyRequests(webhook);
    request.body = await decompressed(request.body, request.headers);
    const key = incomingKey(request);
    const repeat = key && (await findRepeat(this.db, webhook, key));
    if (!repeat) throw tooManyRequests(webhook);
    return repeat;
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

/** 502 when a store is away, so that senders try again (contract, Errors). */
function rejectedFor(error: unknown): Rejected {
  if (error instanceof Rejected) return error;
  const { status, text, headers } = toApiError(error);
  const cause = error instanceof ApiError ? undefined : error;
  if (status === 503) return Object.assign(new Rejected(502, 'a store was away', headers), { cause });
  return Object.assign(new Rejected(status, text), { cause });
}
