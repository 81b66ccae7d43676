import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { FastifyRequest } from 'fastify';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

declare module 'fastify' {
  interface FastifyInstance {
    clientAddresses: ClientAddresses;
  }
}

/**
 * Finds the client address of a request. If the connection comes from a trusted proxy, that is the
 * right-most untrusted address of `X-Forwarded-For`. The header of other senders is ignored.
 */
export class ClientAddresses {
  private readonly trusted: readonly [Address, number][];

  /** @param ranges of the trusted proxies, such as `10.0.0.0/8` or `::1` */
  constructor(ranges: readonly string[] = []) {
    this.trusted = ranges.map((range) => parseRange(range));
  }

  of({ socket, headers }: IncomingMessage): string {
    const peer = socket.remoteAddress ?? '';
    if (this.trusted.length === 0) return shown(parseAddress(peer)) ?? peer;
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    let client = parseAddress(peer);
    while (client && this.isTrusted(client)) {
      // An unreadable part was not written by a trusted proxy, so the last known address counts.
      const before = parseAddress(forwarded.pop() ?? '');
      if (!before) break;
      client = before;
    }
    return shown(client) ?? peer;
  }

  private isTrusted(address: Address): boolean {
    return this.trusted.some((range) => address.kind() === range[0].kind() && address.match(range));
  }
}

/** Returns the network address of the client that sent this request. */
export function addressOf(request: FastifyRequest): string {
  return request.server.clientAddresses.of(request.raw);
}

/**
 * Returns the key that an address is counted by: the owner of one IPv6 address usually has all of
 * its /64.
 */
export function countedAddress(address: string): string {
  const parsed = parseAddress(address);
  if (parsed?.kind() !== 'ipv6') return address;
  return new ipaddr.IPv6([...parsed.toByteArray().slice(0, 8), ...Array<number>(8).fill(0)]).toString();
}

/** Returns whether this is an address with an optional prefix length. */
export function isRange(text: string): boolean {
  try {
    return Boolean(parseRange(text));
  } catch {
    return false;
  }
}

/** @throws Error if this is not a range */
function parseRange(text: string): [Address, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  if (isIP(text) === 0) throw new RangeError(`not an address range: ${text}`);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/**
 * Parses an address as proxies write it: with or without a port, IPv6 with or without brackets. An
 * IPv4-mapped one is the IPv4 address.
 */
function parseAddress(text: string): Address | undefined {
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return isIP(bare) === 0 ? undefined : ipaddr.process(bare);
}

const shown = (address: Address | undefined): string | undefined => address?.toString();
