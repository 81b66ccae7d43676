import type { Principal, TokenResolvers } from '@tieline/platform/http';
import type { SseStream } from './sse-stream.js';
import { Wheel } from './wheel.js';

/** Every stream is verified once in this time, so that one whose token was revoked is closed within a second. */
const VERIFY_EVERY_MS = 600;
const SLOTS = 6;
/** A stream that could not be verified for this long is closed: access must not outlast its check because a store is away. */
const UNVERIFIED_LIMIT_MS = 30_000;

/** The streams that one token opened. */
interface Holder {
  readonly token: string;
  readonly caller: Principal;
  readonly streams: Set<SseStream>;
  slot: number;
  verifiedAt: number;
}

/**
 * Closes the streams of callers who lost their access after the guard had let them in: a token regenerated, a person or
 * bot disabled, a space switched off. Each token is resolved again about every 600 ms, by the same resolvers that the
 * guard asks; they put many tokens into one statement. Tokens are kept in memory for as long as their streams are open.
 */
export class StreamAccess {
  private readonly holders = new Map<string, Holder>();
  private readonly verifying = new Set<Holder>();
  private readonly wheel = new Wheel<Holder>((holders) => this.verifyAll(holders), {
    periodMs: VERIFY_EVERY_MS,
    slots: SLOTS,
  });

  constructor(private readonly resolvers: TokenResolvers) {}

  /** Watches a stream, which was opened with `token` by `caller`, until it ends. */
  watch(stream: SseStream, token: string, caller: Principal): void {
    const holder = this.holders.get(token) ?? this.add(token, caller);
    holder.streams.add(stream);
    stream.onClose(() => {
      holder.streams.delete(stream);
      if (holder.streams.size > 0) return;
      this.holders.delete(token);
      this.wheel.remove(holder, holder.slot);
    });
  }

  private add(token: string, caller: Principal): Holder {
    const holder: Holder = { token, caller, streams: new Set(), slot: 0, verifiedAt: Date.now() };
    holder.slot = this.wheel.add(holder);
    this.holders.set(token, holder);
    return holder;
  }

  private verifyAll(holders: ReadonlySet<Holder>): void {
    for (const holder of holders) if (!this.verifying.has(holder)) void this.verify(holder);
  }

  private async verify(holder: Holder): Promise<void> {
    this.verifying.add(holder);
    try {
      const found = await this.resolvers.resolve(holder.token);
      holder.verifiedAt = Date.now();
      if (!isSame(found, holder.caller)) closeAll(holder, 'revoked');
    } catch {
      // The store is away: so are the changes that could have revoked the token. Not for ever, though.
      if (Date.now() - holder.verifiedAt > UNVERIFIED_LIMIT_MS) closeAll(holder, 'unverified');
    } finally {
      this.verifying.delete(holder);
    }
  }
}

function closeAll(holder: Holder, reason: 'revoked' | 'unverified'): void {
  for (const stream of [...holder.streams]) stream.close(reason);
}

function isSame(found: Principal | undefined, caller: Principal): boolean {
  if (found === undefined || found.kind !== caller.kind) return false;
  if (found.kind === 'bot')
    return caller.kind === 'bot' && found.botId === caller.botId && found.spaceId === caller.spaceId;
  if (found.kind === 'user')
    return caller.kind === 'user' && found.userId === caller.userId && found.spaceId === caller.spaceId;
  return true;
}
