import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import { ApiError, isUuid, toApiError } from '@tieline/platform/http';
import { Metrics } from '@tieline/platform/observability';
import { isRefusal, RateLimiter } from '@tieline/rate-limit';
import { newSigningSecret, SecretBox } from '@tieline/signing';
import type { SealedSecrets } from '@tieline/signing';
import { IncomingWebhookSettings } from '../../webhooks.settings.js';
import { openIncomingSecrets, openNativeSecret, INCOMING_SECRET } from '../admin/incoming-secret.js';
import { RejectedRequest } from '../incoming-webhooks.errors.js';
import { IncomingMetrics } from '../incoming.metrics.js';
import { AcceptedSignatures } from '../replay/accepted-signatures.js';
import { RejectedSignatures } from '../replay/rejected-signatures.js';
import { requestHash } from '../replay/signed-request.js';
import { RequestLog } from '../requests/request-log.js';
import { DeleteIncoming, EditIncoming } from './change-message.js';
import { countFailure, resetFailures } from './count-failures.js';
import { findByToken } from './find-by-token.js';
import type { FindByToken, FoundWebhook } from './find-by-token.js';
import { IncomingRates, tooManyRequests } from './incoming-rates.js';
import { decompress } from './body/decode-body.js';
import { findRepeat, PostIncoming } from './post-incoming.js';
import type { PostedIncoming } from './post-incoming.js';
import { queryKeys } from './query-keys.js';
import type { SentBody } from './body/read-body.js';
import { checkSignature } from './signatures/request-signature.js';
import type { SignatureCheck } from './signatures/request-signature.js';
import { incomingKey, keyOf, messageOf } from './sent-request.js';
import type { ReadRequest, SentRequest } from './sent-request.js';

/** Id used while checking the signature of a request with an unknown token. */
const NO_WEBHOOK = '00000000-0000-0000-0000-000000000000';

/**
 * Handles requests to incoming webhooks. Checks token, disabled, size, signature, rate and content,
 * in this order. The first check that fails decides. All rejections look the same to the sender,
 * and all that end in 401 take the same time.
 */
@Injectable()
export class IncomingReceiver {
  private readonly logger = new Logger('IncomingWebhooks');
  private readonly find: FindByToken;
  private readonly signatures: AcceptedSignatures;
  private readonly rejectedSignatures = new RejectedSignatures();
  private readonly rates: IncomingRates;
  /** Secrets verified when the token is unknown, so that the response takes equally long. */
  private readonly decoy: SealedSecrets & { nativeSecret: null };

  constructor(
    private readonly db: Db,
    private readonly settings: IncomingWebhookSettings,
    private readonly box: SecretBox,
    limiter: RateLimiter,
    private readonly log: RequestLog,
    private readonly metrics: Metrics,
    private readonly verdicts: IncomingMetrics,
    private readonly postIncoming: PostIncoming,
    private readonly editIncoming: EditIncoming,
    private readonly deleteIncoming: DeleteIncoming,
  ) {
    this.find = findByToken(db);
    this.rates = new IncomingRates(limiter);
    this.signatures = new AcceptedSignatures(db, (error) => this.logFailure(error));
    this.decoy = {
      id: NO_WEBHOOK,
      signingSecret: INCOMING_SECRET.seal(box, NO_WEBHOOK, newSigningSecret()),
      previousSecret: null,
      nativeSecret: null,
    };
  }

  /**
   * @returns the id of the committed message, or undefined if the request posts nothing
   * @throws RejectedRequest if any check fails
   */
  async receive(request: SentRequest): Promise<string | undefined> {
    try {
      const messageId = await this.process(request);
      this.verdicts.request('accepted');
      return messageId;
    } catch (error) {
      const rejected = toRejection(error);
      this.verdicts.request(rejected.verdict);
      throw rejected;
    }
  }

  private async process({ body: bodyPromise, ...sent }: SentRequest): Promise<string | undefined> {
    const { token, address, headers, change } = sent;
    const [found, read] = await Promise.all([this.find(token), bodyPromise]);
    // A deletion has no body. Ignore any that was sent.
    const body = change?.kind === 'delete' ? { bytes: Buffer.alloc(0) } : read;
    const notes: string[] = [];
    const request: ReadRequest = { ...sent, body: body.bytes, notes, wasRejected: false };
    try {
      const { webhook, digest } = this.authenticate(found, headers, body);
      const messageId = await this.handleOnce(webhook, request, digest);
      const result = { token, address, notes, body: request.body, messageId };
      this.record(webhook, { ...result, status: 200, reason: '' });
      return messageId;
    } catch (error) {
      const rejected = toRejection(error);
      const result = { token, address, notes, body: request.body };
      if (found) this.record(found, { ...result, status: rejected.status, reason: rejected.reason });
      throw rejected;
    }
  }

  /**
   * @returns the webhook, and the digest of the signature if one is required and identifies the
   * request
   * @throws RejectedRequest 400, 401, 410, 413
   */
  private authenticate(
    webhook: FoundWebhook | undefined,
    headers: IncomingHttpHeaders,
    body: SentBody,
  ): { webhook: FoundWebhook; digest?: Buffer | undefined } {
    const unsigned = webhook?.requireSignature === false && webhook.spaceIsActive;
    const signature = unsigned ? undefined : this.checkSignature(webhook ?? this.decoy, headers, body.bytes);
    if (!webhook) throw new RejectedRequest(401, 'unknown token', {}, 'unknown_token');
    if (!webhook.spaceIsActive) throw new RejectedRequest(401, 'the space is inactive', {}, 'switched_off');
    if (!webhook.isActive) throw new RejectedRequest(410, 'the webhook is disabled', {}, 'switched_off');
    if (body.fault === 'too large') throw new RejectedRequest(413, 'body over 262144 bytes');
    if (body.fault === 'incomplete')
      throw new RejectedRequest(400, 'the body ended early or took longer than 30 seconds');
    if (signature?.fault !== undefined) throw new RejectedRequest(401, signature.fault);
    return { webhook, digest: signature?.digest };
  }

  private checkSignature(
    webhook: SealedSecrets & { nativeSecret: Buffer | null },
    headers: IncomingHttpHeaders,
    body: Buffer,
  ): SignatureCheck {
    const { id, nativeSecret: sealed } = webhook;
    const native = sealed && { secret: openNativeSecret(this.box, id, sealed) };
    return checkSignature(headers, body, { own: openIncomingSecrets(this.box, webhook), native }, Date.now());
  }

  /**
   * Returns the stored result for an exact repeat of a signed request. Rejects any other reuse of
   * its signature.
   */
  private async handleOnce(
    webhook: FoundWebhook,
    request: ReadRequest,
    digest: Buffer | undefined,
  ): Promise<string | undefined> {
    if (!webhook.replayProtection || digest === undefined) return this.handleAndCount(webhook, request);
    request.wasRejected = this.rejectedSignatures.has(webhook.id, digest);
    const { headers, method, target, change, notes } = request;
    const signed = {
      spaceId: webhook.spaceId,
      webhookId: webhook.id,
      signature: digest,
      subject: change?.kind === 'delete' && isUuid(change.messageId) ? change.messageId : '',
      requestHash: requestHash({ method, target, idempotencyKey: keyOf(headers) }),
    };
    const work = async (id: string): Promise<string | undefined> => {
      request.messageId = id;
      try {
        return await this.handleAndCount(webhook, request);
      } catch (error) {
        if (isRefusal(error)) this.rejectedSignatures.add(webhook.id, digest);
        throw error;
      }
    };
    const { messageId, isRepeat } = await this.signatures.once(signed, work);
    if (isRepeat) notes.push('exact repeat of an accepted request: returned its stored result');
    return messageId;
  }

  /** Handles an authenticated request and counts its failure. */
  private async handleAndCount(webhook: FoundWebhook, request: ReadRequest): Promise<string | undefined> {
    try {
      const messageId = await this.handle(webhook, request);
      if (messageId === undefined) request.notes.push('resolved without an open message: nothing was posted');
      else if (webhook.consecutiveFailures > 0) await this.updateCounter(resetFailures(this.db, webhook));
      return messageId;
    } catch (error) {
      const { status } = toRejection(error);
      if ((status === 400 && !request.wasRejected) || status >= 500)
        await this.updateCounter(countFailure(this.db, webhook, this.settings.autoDisableThreshold));
      throw error;
    }
  }

  private async handle(webhook: FoundWebhook, request: ReadRequest): Promise<string | undefined> {
    const { headers, change } = request;
    if (!change) return (await this.post(webhook, request)).messageId;
    if (!(await this.rates.count(webhook, request.wasRejected))) throw tooManyRequests(webhook);
    if (change.kind === 'delete') {
      await this.deleteIncoming.run(webhook, change.messageId);
      return change.messageId;
    }
    // From here on the request log shows the decompressed body.
    request.body = await decompress(request.body, headers);
    const message = await messageOf(webhook, request, {});
    request.notes.push(...message.notes);
    await this.editIncoming.run(webhook, change.messageId, message);
    return change.messageId;
  }

  private async post(webhook: FoundWebhook, request: ReadRequest): Promise<PostedIncoming> {
    const hit = await this.rates.count(webhook, request.wasRejected);
    if (!hit) return this.findRepeatOrReject(webhook, request);
    const keys = queryKeys(request.target);
    // From here on the request log shows the decompressed body.
    request.body = await decompress(request.body, request.headers);
    const message = await messageOf(webhook, request, keys);
    request.notes.push(...message.notes);
    const { messageId } = request;
    const posted = await this.postIncoming.run(webhook, message, { key: incomingKey(request), messageId });
    if (posted.isRepeat) await hit.refund();
    return posted;
  }

  /**
   * Returns the message of a repeat with an `Idempotency-Key` although the rate limit is exhausted.
   * @throws RejectedRequest 429 for any other request
   */
  private async findRepeatOrReject(webhook: FoundWebhook, request: ReadRequest): Promise<PostedIncoming> {
    if (keyOf(request.headers) === undefined) throw tooManyRequests(webhook);
    request.body = await decompress(request.body, request.headers);
    const key = incomingKey(request);
    const repeat = key && (await findRepeat(this.db, webhook, key));
    if (!repeat) throw tooManyRequests(webhook);
    return repeat;
  }

  /**
   * Waits for an update of the failure count. Logs its failure, which must not change the response.
   */
  private async updateCounter(change: Promise<void>): Promise<void> {
    await change.catch((error: unknown) => this.logFailure(error));
  }

  private logFailure(error: unknown): void {
    this.metrics.failure('incoming_failure_count');
    this.logger.error('could not store the result of a request to an incoming webhook', error);
  }

  private record(
    { spaceId, id }: FoundWebhook,
    request: Omit<Parameters<RequestLog['add']>[0], 'spaceId' | 'webhookId'>,
  ): void {
    this.log.add({ ...request, spaceId, webhookId: id });
  }
}

/**
 * Converts an error to a rejection. An unavailable data store becomes 502, so that senders retry.
 */
function toRejection(error: unknown): RejectedRequest {
  if (error instanceof RejectedRequest) return error;
  const { status, text, headers } = toApiError(error);
  const cause = error instanceof ApiError ? undefined : error;
  if (status === 503)
    return Object.assign(new RejectedRequest(502, 'a data store was unavailable', headers), { cause });
  return Object.assign(new RejectedRequest(status, text), { cause });
}
