import type { LookupAddress } from 'node:dns';
import net from 'node:net';
import { buildConnector } from 'undici';
import { AddressNotAllowedError, type EgressPolicy } from './egress-policy.js';

/** How connections are made. */
export interface ConnectorOptions {
  /** Limit for TCP and TLS set-up, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Certificate authorities to trust instead of the well-known ones, in PEM. */
  readonly ca?: string | Buffer;
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * How long one of several addresses of a name may take before the next is tried beside it, in
 * milliseconds.
 */
const ADDRESS_ATTEMPT_MS = 500;

/**
 * Makes connections that the policy judged: a host name is resolved once, every answer judged, and
 * the socket connects to those very addresses. The socket resolves nothing by itself, so no second
 * answer can lead it elsewhere.
 */
export function policedConnector(policy: EgressPolicy, options: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    timeout: options.connectTimeoutMs,
    ca: options.ca,
    // Said outright, because Node would let an environment variable switch verification off.
    rejectUnauthorized: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
    lookup: (hostname, lookupOptions, callback) =>
      lookupAllowed(policy, hostname, lookupOptions.all === true, callback as LookupCallback),
  });
  return (target, callback) => {
    // For an IP literal the socket calls no lookup at all, so it is judged here.
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
 * The name for SNI: none for IP literals, and without the final dot that certificates never carry.
 */
function serverName(hostname: string): string | undefined {
  return net.isIP(hostname) === 0 ? hostname.replace(/\.+$/, '') : undefined;
}
