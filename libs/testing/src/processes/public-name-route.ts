/**
 * Loaded into the processes of `publicName()`. Changes how one host name is resolved and connected
 * to.
 */
import type { LookupFunction } from 'node:net';
import { Resolver } from 'node:dns/promises';
import tls from 'node:tls';

const NAME = 'receiver.test';
const PUBLIC_ADDRESS = '93.184.215.14';
const LOOPBACK = '127.0.0.1';

const resolver = Resolver.prototype as unknown as Record<
  'resolve4' | 'resolve6',
  (name: string, ...rest: unknown[]) => Promise<string[]>
>;
for (const method of ['resolve4', 'resolve6'] as const) {
  const resolve = resolver[method];
  resolver[method] = function (this: Resolver, name, ...rest) {
    if (name !== NAME) return resolve.call(this, name, ...rest);
    return Promise.resolve(method === 'resolve4' ? [PUBLIC_ADDRESS] : []);
  };
}

const connect = tls.connect.bind(tls) as (options: tls.ConnectionOptions) => tls.TLSSocket;
tls.connect = ((options: tls.ConnectionOptions) =>
  connect(
    options.host === NAME && options.lookup ? { ...options, lookup: toLoopback(options.lookup) } : options,
  )) as typeof tls.connect;

/** Returns loopback to connections instead of the public address, after all checks. */
function toLoopback(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, address, family) => {
      if (error) return callback(error, address, family);
      if (Array.isArray(address)) return callback(null, [{ address: LOOPBACK, family: 4 }]);
      callback(null, LOOPBACK, 4);
    });
}
