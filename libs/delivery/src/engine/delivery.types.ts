/**
 * How often and how long deliveries to a target are tried (decisions, section 11.3); `contract` is
 * what the settings say.
 */
export const RETRY_PROFILES = ['contract', 'extended'] as const;
/** One of {@link RETRY_PROFILES}. */
export type RetryProfile = (typeof RETRY_PROFILES)[number];

/** The exact bytes of a request body; several deliveries of one event share them. */
export interface NewPayload {
  /** UUIDv7. */
  id: string;
  spaceId: string;
  body: Buffer;
}

/**
 * A delivery to be made, planned in the transaction that also removes its event from the outbox.
 */
export interface NewDelivery {
  /** UUIDv7; the receiver sees it, and it is the same on every retry. */
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
  /** Attempts in all; default: what the profile says. */
  maxAttempts?: number;
  /** Default `contract`. */
  retryProfile?: RetryProfile | undefined;
  /**
   * Sent only when those with the same key to the same target and a lower position have ended; with
   * `firstAttempts` when they have been tried once, so that one that is retried holds nobody up.
   * Default: in no order.
   */
  order?: { key: string; position: number; firstAttempts?: boolean } | undefined;
  /**
   * False: a test send. It is sent even to an inactive target and changes no counter. Default true.
   */
  counts?: boolean;
}

/** A delivery that this worker has leased, with all that is needed to send it. */
export interface ClaimedDelivery {
  id: string;
  spaceId: string;
  kind: string;
  targetId: string;
  eventId: string;
  eventType: string;
  headers: Record<string, string>;
  /** Null when the payload's retention is over. */
  body: Buffer | null;
  /** Attempts made before this one. */
  attempts: number;
  maxAttempts: number;
  retryProfile: RetryProfile;
  counts: boolean;
  lease: number;
  createdAt: Date;
  /** Whether somebody had it sent again: its event is older than it. */
  resent: boolean;
}

/** What one attempt came to, as the attempt log shows it. */
export interface AttemptRecord {
  at: Date;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  /** First 4 KiB of the answer's body. */
  response: string;
  /** Headers that only this attempt had, of kinds that keep them. */
  headers?: Record<string, string>;
}

/** What becomes of a claimed delivery. */
export type Outcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'dead'; readonly error: string }
  | { readonly kind: 'retry'; readonly at: Date; readonly error: string }
  /**
   * Not tried because the target's rate is used up until then; uses no attempt, and stays at its
   * place in the line.
   */
  | { readonly kind: 'postponed'; readonly at: Date };

/** A claimed delivery and its outcome. */
export interface Result {
  delivery: ClaimedDelivery;
  outcome: Outcome;
  /** Absent when nothing was sent. */
  attempt?: AttemptRecord;
  /**
   * What the attempt tells of the receiver's health: `failing` is a transport error, a timeout or a
   * 5xx.
   */
  health?: 'failing' | 'alive';
}

/** A claimed delivery, ready to be sent. */
export interface PreparedDelivery {
  readonly delivery: ClaimedDelivery;
  /** Makes the attempt, unless there is a reason not to. */
  attempt(): Promise<Result>;
}

/** The end of one counted delivery, told to its kind in the order in which they ended. */
export interface SettledDelivery {
  deliveryId: string;
  spaceId: string;
  targetId: string;
  outcome: 'success' | 'dead';
}
