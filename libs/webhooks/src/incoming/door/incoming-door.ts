import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import { ApiError, toApiError } from '@tieline/platform/http';
import { Metrics } from '@tieline/platform/observability';
import { RateLimiter } from '@tieline/platform/rate-limit';
import { newSigningSecret, SecretBox } from '@tieline/platform/signing';
import type { Plan } from '@tieline/spaces';
import { IncomingWebhookSettings } from '../../webhooks.settings.js';
import { countFailure, resetFailures } from './count-failures.js';
import { parseIncoming } from '../formats/formats.js';
import { incomingDirectory } from './incoming-directory.js';
import type { FindWebhook, KnownWebhook } from './incoming-directory.js';
import { openIncomingSecret, sealIncomingSecret } from '../admin/incoming-secret.js';
import { Rejected } from '../incoming-webhooks.errors.js';
import { formatOf, payloadOf } from './payload-of.js';
import { postIncoming } from './post-incoming.js';
import type { SentBody } from './read-body.js';
import { RequestLog } from '../log/request-log.js';
import { signatureFault } from './request-signature.js';

/** Messages per second and webhook (contract, Limits). */
const RATES: Readonly<Record<Plan, number>> = { free: 5, pro: 10, enterprise: 30 };
/** Stands for a webhook where there is none. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** A request as it came. */
export interface SentRequest {
  token: string;
  address: string;
  headers: IncomingHttpHeaders;
  /** Resolves when the body is there; it is read while the token is looked up. */
  body: Promise<SentBody>;
}

/**
 * Receives requests of incoming webhooks (contract, Incoming webhook; decisions, section 9): token, off, size, signature and content
 * type, rate, content; the first that fails decides. Whatever fails, the answer looks the same, and all that end in 401 do the same work.
 */
@Injectable()
export class IncomingDoor {
  private readonly logger = new Logger('IncomingWebhooks');
  private readonly find: FindWebhook;
  private readonly nobodysSecret: Buffer;

  constructor(
    private readonly db: Db,
    private readonly settings: IncomingWebhookSettings,
    private readonly box: SecretBox,
    private readonly limiter: RateLimiter,
    private readonly log: RequestLog,
    private readonly metrics: Metrics,
  ) {
    this.find = incomingDirectory(db);
    this.nobodysSecret = sealIncomingSecret(box, NOBODY, newSigningSecret());
  }

  /** Takes one request in. @returns the id of its message, durable @throws Rejected whatever is wrong with it */
  async receive({ token, address, headers, body: coming }: SentRequest): Promise<string> {
    const [webhook, body] = await Promise.all([this.find(token), coming]).catch((error: unknown) => {
      throw rejectedFor(error);
    });
    const entry = { token, address, body: body.bytes };
    const notes: string[] = [];
    try {
      this.admit(webhook, headers, body);
      const messageId = await this.accept(webhook, headers, body.bytes, notes);
      this.log.add({
        ...entry,
        spaceId: webhook.spaceId,
        webhookId: webhook.id,
        status: 200,
        reason: '',
        notes,
        messageId,
      });
      return messageId;
    } catch (error) {
      const rejected = rejectedFor(error);
      if (webhook)
        this.log.add({
          ...entry,
          spaceId: webhook.spaceId,
          webhookId: webhook.id,
          status: rejected.status,
          reason: rejected.reason,
          notes,
        });
      throw rejected;
    }
  }

  /** Who may come in at all. @throws Rejected 401, 410, 413 */
  private admit(
    webhook: KnownWebhook | undefined,
    headers: IncomingHttpHeaders,
    body: SentBody,
  ): asserts webhook is KnownWebhook {
    const unsigned = webhook?.requireSignature === false && webhook.spaceIsActive;
    const fault = unsigned ? undefined : this.signatureFault(webhook, headers, body.bytes);
    if (!webhook) throw new Rejected(401, 'unknown token');
    if (!webhook.spaceIsActive) throw new Rejected(401, 'the space is inactive');
    if (!webhook.isActive) throw new Rejected(410, 'the webhook is switched off');
    if (body.fault === 'too large') throw new Rejected(413, 'body over 262144 bytes');
    if (body.fault === 'incomplete')
      throw new Rejected(400, 'the body broke off, or took longer than 30 seconds');
    if (fault !== undefined) throw new Rejected(401, fault);
  }

  /** For an unknown token the same work is done with a secret of nobody's. */
  private signatureFault(
    webhook: KnownWebhook | undefined,
    headers: IncomingHttpHeaders,
    body: Buffer,
  ): string | undefined {
    const secret = openIncomingSecret(
      this.box,
      webhook?.id ?? NOBODY,
      webhook?.signingSecret ?? this.nobodysSecret,
    );
    return signatureFault(headers, body, secret, Date.now());
  }

  /** What comes after authentication: from here on, failures count. */
  private async accept(
    webhook: KnownWebhook,
    headers: IncomingHttpHeaders,
    body: Buffer,
    notes: string[],
  ): Promise<string> {
    try {
      const messageId = await this.post(webhook, headers, body, notes);
      if (webhook.consecutiveFailures > 0) await this.keepCount(resetFailures(this.db, webhook));
      return messageId;
    } catch (error) {
      const { status } = rejectedFor(error);
      if (status === 400 || status >= 500)
        await this.keepCount(countFailure(this.db, webhook, this.settings.autoDisableThreshold));
      throw error;
    }
  }

  private async post(
    webhook: KnownWebhook,
    headers: IncomingHttpHeaders,
    body: Buffer,
    notes: string[],
  ): Promise<string> {
    const format = formatOf(headers['content-type']);
    await this.charge(webhook);
    const parsed = parseIncoming(payloadOf(format, body));
    if (!parsed.ok) throw new Rejected(400, parsed.reason);
    notes.push(...parsed.message.notes);
    const key = headers['idempotency-key'];
    return postIncoming(
      this.db,
      webhook,
      parsed.message,
      typeof key === 'string' ? { key, body } : undefined,
    );
  }

  /** Requests that are refused later use their rate up all the same (decisions, section 1). */
  private async charge({ id, plan }: KnownWebhook): Promise<void> {
    const decision = await this.limiter.consume([
      { key: `incoming:${id}`, limit: RATES[plan], windowMs: 1000 },
    ]);
    if (!decision.allowed)
      throw new Rejected(429, `more than ${RATES[plan]} messages per second`, { 'retry-after': '1' });
  }

  /** The sender is told what became of its message, whatever becomes of the count. */
  private async keepCount(change: Promise<void>): Promise<void> {
    await change.catch((error: unknown) => {
      this.metrics.failure('incoming_failure_count');
      this.logger.error('the failures of an incoming webhook could not be counted', error);
    });
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
