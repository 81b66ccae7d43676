import { Resolver, lookup } from 'node:dns/promises';

/**
 * The port to name resolution: returns all addresses of a host name; rejects, or returns none, if
 * there is none.
 */
export type ResolveHost = (hostname: string) => Promise<string[]>;

/** Settings of {@link dnsResolver}. */
export interface DnsResolverOptions {
  /** Name servers as `address:port`; those of the operating system by default. */
  readonly servers?: readonly string[];
  /** Timeout of one query before the second and last try, in milliseconds. */
  readonly timeoutMs?: number;
}

const QUERY_TIMEOUT_MS = 1000;
const QUERY_TRIES = 2;
/**
 * DNS errors after which the operating system resolves the name: it may know the name from its
 * hosts file or a search domain.
 */
const NOT_IN_DNS = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/**
 * Resolves names with asynchronous DNS queries (A and AAAA concurrently). The operating system's
 * blocking resolver is only asked for names unknown to DNS: its calls share four threads with the
 * file system, so a few dead name servers would delay all deliveries.
 */
export function dnsResolver({ servers, timeoutMs = QUERY_TIMEOUT_MS }: DnsResolverOptions = {}): ResolveHost {
  const resolver = new Resolver({ timeout: timeoutMs, tries: QUERY_TRIES });
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const reasons = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason as NodeJS.ErrnoException] : [],
    );
    const other = reasons.find((reason) => !NOT_IN_DNS.has(reason.code ?? ''));
    if (other) throw other;
    return (await lookup(hostname, { all: true })).map(({ address }) => address);
  };
}
