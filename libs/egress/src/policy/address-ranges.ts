import net from 'node:net';
import ipaddr from 'ipaddr.js';

/** A parsed IP address of either family. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** A parsed range: network address and prefix length. */
export type AddressRange = [Address, number];

/**
 * Every block of the IANA IPv4 special-purpose address registry, multicast and the reserved class
 * E. Not `range()` of ipaddr.js, because these rules are security-relevant and must not change with
 * a dependency.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local; cloud metadata services answer here
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT relays
  '192.88.99.0/24', // 6to4 relay anycast, deprecated
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112, direct delegation
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, limited broadcast included
].map(rangeOf);

/**
 * The only IANA block for global unicast: everything outside (fc00::/7, fe80::/10, …) is refused.
 */
const GLOBAL_IPV6 = rangeOf('2000::/3');

/** Special blocks inside 2000::/3. For 2002::/16 the embedded IPv4 address decides. */
const SPECIAL_IPV6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarking, AMT, AS112, ORCHID, remote ID
  '2001:db8::/32', // documentation
  '2620:4f:8000::/48', // AS112, direct delegation
  '3fff::/20', // documentation
].map(rangeOf);

const IPV4_MAPPED = rangeOf('::ffff:0:0/96');

/** IPv6 blocks with an embedded IPv4 address, and the byte where it starts. */
const EMBEDDING: readonly { range: AddressRange; offset: number }[] = [
  { range: IPV4_MAPPED, offset: 12 },
  { range: rangeOf('::/96'), offset: 12 }, // IPv4-compatible, deprecated; includes `::` and `::1`
  { range: rangeOf('64:ff9b::/96'), offset: 12 }, // NAT64
  { range: rangeOf('2002::/16'), offset: 2 }, // 6to4
];

/**
 * Addresses at which clouds serve credentials to a machine: link-local, shared, private and public
 * ones. They stay refused even inside a range that an operator allows.
 */
const CLOUD_SERVICES = [
  '169.254.169.254/32', // AWS, Azure, Google, OpenStack, Oracle, DigitalOcean: metadata
  '169.254.170.2/32', // AWS: credentials of containers
  '169.254.170.23/32', // AWS: credentials of pods
  '169.254.0.23/32', // Tencent: metadata
  '100.100.100.200/32', // Alibaba: metadata
  '192.0.0.192/32', // Oracle: metadata
  '168.63.129.16/32', // Azure: the host
  'fd00:ec2::254/128', // AWS: metadata
  'fd00:ec2::23/128', // AWS: credentials of pods
  'fd20:ce::254/128', // Google: metadata
].map(rangeOf);

/**
 * Returns whether `address`, or its embedded IPv4 address, serves credentials to cloud machines.
 */
export function isCloudService(address: Address): boolean {
  if (CLOUD_SERVICES.some((range) => matches(address, range))) return true;
  const embedding = EMBEDDING.find(({ range }) => matches(address, range));
  return embedding !== undefined && isCloudService(embeddedIPv4(address, embedding.offset));
}

/**
 * Parses an address in its usual text form, IPv6 with or without brackets; undefined for names,
 * zone ids and other forms.
 */
export function parseAddress(text: string): Address | undefined {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  // A zone id selects an interface of this machine; public addresses need none.
  if (net.isIP(bare) === 0 || bare.includes('%')) return undefined;
  return ipaddr.parse(bare);
}

/** Parses `address/length`, or a bare address as a range of one. @throws RangeError */
export function parseRange(text: string): AddressRange {
  const [address = '', length, ...rest] = text.trim().split('/');
  const parsed = parseAddress(address);
  const bits = parsed?.kind() === 'ipv4' ? 32 : 128;
  const prefix = length === undefined ? bits : Number(length);
  if (
    !parsed ||
    rest.length > 0 ||
    length === '' ||
    !Number.isInteger(prefix) ||
    prefix < 0 ||
    prefix > bits
  ) {
    throw new RangeError(`not an address range: ${text}`);
  }
  return [parsed, prefix];
}

/**
 * Returns whether `address` is in `range`. An IPv4-mapped IPv6 address counts as its IPv4 address.
 */
export function inRange(address: Address, range: AddressRange): boolean {
  if (matches(address, range)) return true;
  return matches(address, IPV4_MAPPED) && matches(embeddedIPv4(address, 12), range);
}

/**
 * Returns whether `address` is global unicast: in no special-purpose block, and without an embedded
 * IPv4 address in one.
 */
export function isGlobalUnicast(address: Address): boolean {
  if (address.kind() === 'ipv4') return !SPECIAL_IPV4.some((range) => matches(address, range));
  const embedding = EMBEDDING.find(({ range }) => matches(address, range));
  if (embedding) return isGlobalUnicast(embeddedIPv4(address, embedding.offset));
  return matches(address, GLOBAL_IPV6) && !SPECIAL_IPV6.some((range) => matches(address, range));
}

function matches(address: Address, range: AddressRange): boolean {
  return address.kind() === range[0].kind() && address.match(range);
}

function embeddedIPv4(address: Address, offset: number): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(offset, offset + 4));
}

function rangeOf(text: string): AddressRange {
  return ipaddr.parseCIDR(text);
}
