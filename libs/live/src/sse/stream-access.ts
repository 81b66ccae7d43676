import { setTimeout as sleep } from 'node:timers/promises';
import { Loop } from '@tieline/background';
import { isSameScopes } from '@tieline/platform/http';
import type { Principal, TokenResolvers } from '@tieline/platform/http';
import type { AccessChanges } from '../access/access-changes.js';
import type { SseStream } from './sse-stream.js';
import { StaggeredVisits } from './staggered-visits.js';

/** Interval of the periodic verification, which covers lost news. */
const VERIFY_EVERY_MS = 10_000;
const SLOTS = 50;
/** After possibly lost news all streams are verified within this time. */
const VERIFY_ALL_MS = 1000;
/** Delay before a failed token lookup is retried, plus or minus a quarter. */
const RETRY_MS = 600;
/**
 * A stream that could not be verified for this long is closed, because access must not outlast its
 * check during an outage.
 */
const UNVERIFIED_LIMIT_MS = 30_000;

/** The streams of one token. */
interface Holder {
  readonly token: string;
  readonly caller: Principal;
  readonly streams: Set<SseStream>;
  slot: number;
  verifiedAt: number;
  verifying: boolean;
  /** Something changed during the verification. */
  again: boolean;
}

/**
 * Closes the streams of callers who lost access after the guard accepted them: a replaced token, an
 * ended session, a disabled person or bot, a changed role, changed scopes, a switched-off space.
 * Changes arrive over the bus. The affected tokens are then resolved again by the guard's
 * resolvers, many tokens per statement. A periodic verification covers all streams, as does any gap
 * of the bus. Tokens are kept in memory while their streams are open.
 */
export class StreamAccess {
  private readonly holders = new Map<string, Holder>();
  /** Holders by the ids they depend on: bot or person, and space. */
  private readonly byId = new Map<string, Set<Holder>>();
  private readonly wheel = new StaggeredVisits<Holder>((holders) => this.verifyIdle(holders), {
    periodMs: VERIFY_EVERY_MS,
    slots: SLOTS,
  });
  private readonly all = new Loop(() => this.verifyAll());
  private readonly endWatch: () => void;

  constructor(
    private readonly resolvers: TokenResolvers,
    changes: Pick<AccessChanges, 'watch'>,
  ) {
    this.endWatch = changes.watch(
      (ids) => this.changed(ids),
      () => this.all.wake(),
      () => this.holders.size > 0,
    );
  }

  /** Watches a stream opened with `token` by `caller`, until it ends. */
  watch(stream: SseStream, token: string, caller: Principal): void {
    const holder = this.holders.get(token) ?? this.add(token, caller);
    holder.streams.add(stream);
    // Changes between the guard's check and now were published before this stream was watched.
    void this.verify(holder);
    stream.onClose(() => {
      holder.streams.delete(stream);
      if (holder.streams.size === 0) this.remove(holder);
    });
  }

  async close(): Promise<void> {
    this.endWatch();
    await this.all.stop();
  }

  private add(token: string, caller: Principal): Holder {
    const holder: Holder = {
      token,
      caller,
      streams: new Set(),
      slot: 0,
      verifiedAt: performance.now(),
      verifying: false,
      again: false,
    };
    holder.slot = this.wheel.add(holder);
    this.holders.set(token, holder);
    for (const id of idsOf(caller)) {
      const others = this.byId.get(id);
      if (others) others.add(holder);
      else this.byId.set(id, new Set([holder]));
    }
    return holder;
  }

  private remove(holder: Holder): void {
    this.holders.delete(holder.token);
    this.wheel.remove(holder, holder.slot);
    for (const id of idsOf(holder.caller)) {
      const others = this.byId.get(id);
      others?.delete(holder);
      if (others?.size === 0) this.byId.delete(id);
    }
  }

  private changed(ids: readonly string[]): void {
    for (const id of ids) for (const holder of this.byId.get(id) ?? []) void this.verify(holder);
  }

  private verifyIdle(holders: ReadonlySet<Holder>): void {
    for (const holder of holders) if (!holder.verifying) void this.verify(holder);
  }

  /** In portions, so that requests are not delayed by the statements that resolve tokens. */
  private async verifyAll(): Promise<void> {
    for (const holders of this.wheel.portions) {
      if (this.all.stopped) return;
      for (const holder of holders) void this.verify(holder);
      if (holders.size > 0) await sleep(VERIFY_ALL_MS / SLOTS, undefined, { ref: false });
    }
  }

  /** Verifies against the state after the call. */
  private async verify(holder: Holder): Promise<void> {
    holder.again = true;
    if (holder.verifying) return;
    holder.verifying = true;
    while (holder.again && holder.streams.size > 0) {
      holder.again = false;
      await this.ask(holder);
    }
    holder.verifying = false;
  }

  private async ask(holder: Holder): Promise<void> {
    try {
      const found = await this.resolvers.resolve(holder.token);
      holder.verifiedAt = performance.now();
      if (!isSame(found, holder.caller)) closeAll(holder, 'revoked');
    } catch {
      // During an outage tokens can't be revoked either, but access must not last forever.
      if (performance.now() - holder.verifiedAt > UNVERIFIED_LIMIT_MS) closeAll(holder, 'unverified');
      else setTimeout(() => void this.verify(holder), RETRY_MS * (0.75 + Math.random() / 2)).unref();
    }
  }
}

function idsOf(caller: Principal): string[] {
  if (caller.kind === 'bot') return [caller.botId, caller.spaceId];
  return caller.kind === 'user' ? [caller.userId, caller.spaceId] : [];
}

function closeAll(holder: Holder, reason: 'revoked' | 'unverified'): void {
  for (const stream of [...holder.streams]) stream.close(reason);
}

function isSame(found: Principal | undefined, caller: Principal): boolean {
  if (found === undefined || found.kind !== caller.kind) return false;
  if (found.kind === 'bot')
    return (
      caller.kind === 'bot' &&
      found.botId === caller.botId &&
      found.spaceId === caller.spaceId &&
      isSameScopes(found.scopes, caller.scopes)
    );
  if (found.kind === 'user')
    return (
      caller.kind === 'user' &&
      found.userId === caller.userId &&
      found.spaceId === caller.spaceId &&
      found.role === caller.role &&
      isSameScopes(found.scopes, caller.scopes)
    );
  return true;
}
