/** Retry profiles. `contract` follows the settings, `extended` retries over more than two days. */
export const RETRY_PROFILES = ['contract', 'extended'] as const;
/** One of {@link RETRY_PROFILES}. */
export type RetryProfile = (typeof RETRY_PROFILES)[number];

/** The exact bytes of a request body. Several deliveries of one event share them. */
export interface NewPayload {
  /** UUIDv7. */
  id: string;
  spaceId: string;
  body: Buffer;
}

/** A delivery to plan, in the transaction that also removes its event from the outbox. */
export interface NewDelivery {
  /** UUIDv7. The receiver sees it; it is the same for all retries. */
  id: string;
  spaceId: string;
  /** Name of a registered {@link DeliveryKind}. */
  kind: string;
  targetId: string;
  eventId: string;
  eventType: string;
  payloadId: string;
  /** Headers that are fixed now and sent with every attempt. */
  headers: Record<string, string>;
  /** Maximum number of attempts. Default: that of the profile. */
  maxAttempts?: number;
  /** Default `contract`. */
  retryProfile?: RetryProfile | undefined;
  /**
   * Position in a line: the delivery is sent after those with the same target and key and a lower
   * position have ended. With `firstAttempts`, it waits only for their first attempts, so retries
   * do not block it. Default: no order.
   */
  order?: { key: string; position: number; firstAttempts?: boolean } | undefined;
  /**
   * False for a test send, which is sent even to an inactive target and changes no counter. Default
   * true.
   */
  counts?: boolean;
}

/** A delivery leased to this worker, with everything needed to send it. */
export interface ClaimedDelivery {
  id: string;
  spaceId: string;
  kind: string;
  targetId: string;
  eventId: string;
  eventType: string;
  headers: Record<string, string>;
  /** Null if the payload is out of retention. */
  body: Buffer | null;
  /** Number of earlier attempts. */
  attempts: number;
  maxAttempts: number;
  retryProfile: RetryProfile;
  counts: boolean;
  lease: number;
  createdAt: Date;
  /** Whether it is a redelivery. Its event is then older than the delivery. */
  resent: boolean;
}

/** The attempt as the log shows it. */
export interface AttemptRecord {
  at: Date;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  /** First 4 KiB of the response body, without NUL. */
  response: string;
  /** Headers of this attempt only, for kinds that keep them. */
  headers?: Record<string, string>;
}

/** What happens to a claimed delivery. */
export type Outcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'dead'; readonly error: string }
  | { readonly kind: 'retry'; readonly at: Date; readonly error: string }
  /**
   * Not attempted, because the target's rate is used up until `at`. It keeps its attempts and its
   * place in the line.
   */
  | { readonly kind: 'postponed'; readonly at: Date };

/** A claimed delivery and its outcome. */
export interface Result {
  delivery: ClaimedDelivery;
  outcome: Outcome;
  /** Absent if nothing was sent. */
  attempt?: AttemptRecord;
  /** The receiver's health: `failing` for a transport error, timeout or 5xx. */
  health?: 'failing' | 'alive';
  /** Nothing was sent, because the connection was not ready in time. */
  isTooLate?: boolean;
}

/** A claimed delivery that is ready to be sent. */
export interface PreparedDelivery {
  readonly delivery: ClaimedDelivery;
  /**
   * Sends the delivery, unless something prevents it.
   * @param sendBy time of `performance.now()` from which it must not be written any more
   */
  attempt(sendBy: number): Promise<Result>;
}

/** A counted delivery that has ended. Kinds get these in the order in which they ended. */
export interface SettledDelivery {
  deliveryId: string;
  spaceId: string;
  targetId: string;
  outcome: 'success' | 'dead';
}
