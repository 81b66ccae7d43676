import type { LookupAddress } from 'node:dns';
import net from 'node:net';
import { buildConnector } from 'undici';
import { AddressNotAllowedError, type EgressPolicy } from './egress-policy.js';

/** Connection settings. */
export interface ConnectorOptions {
  /** Limit for TCP and TLS set-up, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Certificate authorities to trust instead of the well-known ones, in PEM. */
  readonly ca?: string | Buffer;
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * How long one of several addresses of a name may take before the next is tried concurrently, in
 * milliseconds.
 */
const ADDRESS_ATTEMPT_MS = 500;

/**
 * Opens connections that the policy allows: a host name is resolved once, every answer is checked,
 * and the socket connects to exactly those addresses. The socket does no further lookup, so a
 * second answer cannot redirect it.
 */
export function policedConnector(policy: EgressPolicy, options: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    timeout: options.connectTimeoutMs,
    ca: options.ca,
    // Explicit, because an environment variable of Node could disable verification.
    rejectUnauthorized: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
    lookup: (hostname, lookupOptions, callback) =>
      lookupAllowed(policy, hostname, lookupOptions.all === true, callback as LookupCallback),
  });
  return (target, callback) => {
    // For an IP literal the socket does no lookup, so it is checked here.
    if (net.isIP(target.hostname) !== 0 && !policy.addressAllowed(target.hostname)) {
      process.nextTick(callback, new AddressNotAllowedError(), null);
      return;
    }
    connect({ ...target, servername: serverName(target.hostname) }, callback);
  };
}

function lookupAllowed(policy: EgressPolicy, hostname: string, all: boolean, callback: LookupCallback): void {
  policy.resolve(hostname).then(
    (addresses) => {
      const found = addresses.map((address) => ({ address, family: net.isIP(address) }));
      if (all) callback(null, found);
      else callback(null, found[0]!.address, found[0]!.family);
    },
    (error: Error) => callback(error, []),
  );
}

/**
 * Returns the name for SNI: none for IP literals, and without the final dot, which certificates
 * never have.
 */
function serverName(hostname: string): string | undefined {
  return net.isIP(hostname) === 0 ? hostname.replace(/\.+$/, '') : undefined;
}
