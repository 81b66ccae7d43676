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
 * Finds the address of a request's client: the right-most address of `X-Forwarded-For` that is not
 * a trusted proxy's, where the connection itself comes from one. The header of anybody else is
 * ignored.
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
      // What cannot be read was written by no proxy of ours: the proxy before it is the last that
      // is known.
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

/** The network address of the client that sent this request. */
export function addressOf(request: FastifyRequest): string {
  return request.server.clientAddresses.of(request.raw);
}

/** By what an address is counted: the holder of one IPv6 address usually has all of its /64. */
export function countedAddress(address: string): string {
  const parsed = parseAddress(address);
  if (parsed?.kind() !== 'ipv6') return address;
  return new ipaddr.IPv6([...parsed.toByteArray().slice(0, 8), ...Array<number>(8).fill(0)]).toString();
}

/** Whether this is an address with an optional prefix length. */
export function isRange(text: string): boolean {
  try {
    return Boolean(parseRange(text));
  } catch {
    return false;
  }
}

/** @throws Error for what is no range */
function parseRange(text: string): [Address, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  if (isIP(text) === 0) throw new RangeError(`not an address range: ${text}`);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/**
 * Reads an address as proxies write it: with or without a port, IPv6 with or without brackets. An
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
