import { policedConnector } from '../policy/connector.js';
import { VERSION } from '@tieline/platform/config';
import type { EgressSettings } from '../egress.settings.js';
import { EgressPolicy, PublicEgressPolicy } from '../policy/egress-policy.js';
import type { EgressResult } from './egress-result.js';
import { Exchange } from './exchange.js';
import { OriginPools, type PoolOptions } from './origin-pools.js';
import { transportErrorText } from './transport-errors.js';

/** An outgoing POST. */
export interface EgressRequest {
  readonly url: string;
  /**
   * Names may differ in case; of equal ones the last is sent. The client sets `User-Agent` and
   * `Content-Length`.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent byte for byte. */
  readonly body: Buffer;
  /**
   * Hard limit over name resolution, connecting, sending, headers and body together, in
   * milliseconds.
   */
  readonly timeoutMs: number;
  /**
   * Limit for the body, from the final status on, in milliseconds, for callers that need no more
   * than the status.
   */
  readonly bodyMs?: number;
  /** Ends the request early, as a transport error with code `ABORTED`. */
  readonly signal?: AbortSignal;
  /**
   * Time of `performance.now()` from which the request must not be written any more. It is then a
   * transport error with code `TOO_LATE`, and its connection is kept.
   */
  readonly sendBy?: number;
  /**
   * A person chose the address: it must be public and HTTPS, whatever the operator has allowed for
   * receivers.
   */
  readonly publicOnly?: boolean;
  /** Sent on a new connection, so that it never has to be repeated because of a stale one. */
  readonly once?: boolean;
}

/** How the client connects; everything but the version has a default. */
export interface EgressClientOptions extends Partial<PoolOptions> {
  /** Version of the product, for `User-Agent: Tieline/<version>`. */
  readonly version: string;
  /** Limit for TCP and TLS set-up in milliseconds; the deadline of the request applies too. */
  readonly connectTimeoutMs?: number;
  /** Certificate authorities to trust instead of the well-known ones, in PEM. */
  readonly ca?: string | Buffer;
}

const DEFAULTS = {
  connectionsPerOrigin: 256,
  maxOrigins: 1000,
  idleMs: 30_000,
  maxAgeMs: 300_000,
  connectTimeoutMs: 5_000,
};

/**
 * The only way to send requests from the product: checked addresses, no redirects, no proxies of
 * the environment, verified TLS, bounded connections per origin, bounded response bodies, and one
 * deadline for everything. See docs/security.md.
 */
export class EgressClient {
  private readonly pools: OriginPools;
  /** For requests that are sent once: their connections end with the response. */
  private readonly oncePools: OriginPools;
  /** For requests to addresses that people chose. */
  private readonly publicPools: OriginPools;
  private readonly userAgent: string;
  private closed = false;

  constructor(
    private readonly policy: EgressPolicy,
    options: EgressClientOptions,
    private readonly publicPolicy: EgressPolicy = new PublicEgressPolicy(),
  ) {
    const settings = { ...DEFAULTS, ...options };
    this.userAgent = `Tieline/${options.version}`;
    this.pools = new OriginPools(policedConnector(policy, settings), settings);
    this.oncePools = new OriginPools(policedConnector(policy, settings), settings);
    this.publicPools = new OriginPools(policedConnector(publicPolicy, settings), settings);
  }

  /**
   * Creates a client with the configured policy; connecting may take as long as the longest
   * configured deadline.
   */
  static fromSettings(
    settings: EgressSettings,
    policy = new EgressPolicy(settings),
    publicPolicy: EgressPolicy = new PublicEgressPolicy(),
  ): EgressClient {
    const connectTimeoutMs = Math.max(settings.deliveryTimeoutMs, settings.callbackTimeoutMs);
    return new EgressClient(policy, { version: VERSION, connectTimeoutMs }, publicPolicy);
  }

  /** Number of origins with an open connection pool. */
  get openOrigins(): number {
    return this.all.reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * POSTs `body` to `url`. Never rejects: refusals, timeouts and transport errors are results.
   * Sends once, except that a kept-alive connection closed by the receiver is replaced and the
   * request sent again, unless `once` is set.
   */
  post(request: EgressRequest): Promise<EgressResult> {
    return this.send(request);
  }

  /** Like {@link post}, but a GET. */
  get(request: Omit<EgressRequest, 'body'>): Promise<EgressResult> {
    return this.send({ ...request, body: null });
  }

  private send(
    request: Omit<EgressRequest, 'body'> & { readonly body: Buffer | null },
  ): Promise<EgressResult> {
    if (this.closed) {
      return Promise.resolve({
        kind: 'transport_error',
        error: transportErrorText('ABORTED'),
        code: 'ABORTED',
        durationMs: 0,
      });
    }
    const { publicOnly = false, once = false } = request;
    const verdict = (publicOnly ? this.publicPolicy : this.policy).checkUrl(request.url);
    if (!verdict.allowed)
      return Promise.resolve({ kind: 'refused', error: 'address not allowed', durationMs: 0 });
    const { origin, pathname, search } = verdict.url;
    const pools = publicOnly ? this.publicPools : once ? this.oncePools : this.pools;
    return Exchange.run(pools.forOrigin(origin), {
      origin,
      path: pathname + search,
      headers: mergedHeaders(request.headers, { 'User-Agent': this.userAgent }),
      body: request.body,
      timeoutMs: request.timeoutMs,
      ...(request.bodyMs !== undefined && { bodyMs: request.bodyMs }),
      signal: request.signal,
      sendBy: request.sendBy,
      once,
    });
  }

  /** Closes all connections once their requests are done; afterwards `post` sends nothing. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.all.map((pools) => pools.close()));
  }

  private get all(): OriginPools[] {
    return [this.pools, this.oncePools, this.publicPools];
  }
}

/** Returns one header of each name, ignoring case: the last one. */
function mergedHeaders(...sources: Readonly<Record<string, string>>[]): Record<string, string> {
  const merged = new Map<string, [string, string]>();
  for (const [name, value] of sources.flatMap(Object.entries<string>))
    merged.set(name.toLowerCase(), [name, value]);
  merged.delete('content-length');
  return Object.fromEntries(merged.values());
}
