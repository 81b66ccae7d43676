import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { inRange, isGlobalUnicast, parseAddress, parseRange } from './address-ranges.js';

function judge(text: string): boolean {
  const address = parseAddress(text);
  if (!address) throw new Error(`no address: ${text}`);
  return isGlobalUnicast(address);
}

/** Returns the last address of a range. */
function lastOf(range: string): string {
  const [address, prefix] = ipaddr.parseCIDR(range);
  const bytes = address
    .toByteArray()
    .map((byte, index) => byte | (0xff >> Math.min(8, Math.max(0, prefix - index * 8))));
  return ipaddr.fromByteArray(bytes).toString();
}

// The IANA registries of special-purpose addresses, repeated here to detect typing errors in the
// source.
const SPECIAL = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.0.0/29 192.0.0.170/31
  192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15
  198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 255.255.255.255/32
  ::/128 ::1/128 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32 2001:1::1/128 2001:2::/48 2001:3::/32
  2001:4:112::/48 2001:10::/28 2001:20::/28 2001:30::/28 2001:db8::/32 2620:4f:8000::/48 3fff::/20 5f00::/16
  fc00::/7 fe80::/10 fec0::/10 ff00::/8 ::ffff:0:0:0/96 4000::/3 8000::/1
`.match(/\S+/g)!;

const PUBLIC = `
  1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
  169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0
  198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255
  2000:: 2001:200:: 2001:db7:ffff:ffff:: 2001:db9:: 2003:: 2606:4700::1111 2a00:1450:4001::200e 3ffe:ffff:: 3fff:1000::
`.match(/\S+/g)!;

describe('isGlobalUnicast', () => {
  it.each(SPECIAL)('refuses %s from its first to its last address', (range) => {
    expect(judge(range.split('/')[0]!)).toBe(false);
    expect(judge(lastOf(range))).toBe(false);
  });

  it.each(PUBLIC)('accepts %s', (address) => {
    expect(judge(address)).toBe(true);
  });

  it('refuses every address of a special range', () => {
    const range = fc.constantFrom(...SPECIAL).map((text) => ipaddr.parseCIDR(text));
    fc.assert(
      fc.property(range, fc.uint8Array({ minLength: 16, maxLength: 16 }), ([network, prefix], noise) => {
        const bytes = network.toByteArray().map((byte, index) => {
          const mask = 0xff >> Math.min(8, Math.max(0, prefix - index * 8));
          return byte | (noise[index]! & mask);
        });
        expect(isGlobalUnicast(ipaddr.fromByteArray(bytes))).toBe(false);
      }),
      { numRuns: 3000 },
    );
  });

  it('agrees with ipaddr.js on IPv4', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(judge(address)).toBe(ipaddr.IPv4.parse(address).range() === 'unicast');
      }),
      { numRuns: 3000 },
    );
  });

  it('accepts no IPv6 address in a special range of ipaddr.js, except those decided by their IPv4 address', () => {
    const anywhere = fc.uint8Array({ minLength: 16, maxLength: 16 });
    const inGlobalBlock = anywhere.map((bytes) =>
      Uint8Array.from(bytes, (byte, index) => (index === 0 ? 0x20 | (byte & 0x1f) : byte)),
    );
    fc.assert(
      fc.property(fc.oneof(anywhere, inGlobalBlock), (bytes) => {
        const address = ipaddr.fromByteArray([...bytes]) as ipaddr.IPv6;
        if (isGlobalUnicast(address)) expect(['unicast', '6to4']).toContain(address.range());
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['IPv4-mapped', (v4: string) => `::ffff:${v4}`],
    ['IPv4-compatible', (v4: string) => `::${v4}`],
    ['NAT64', (v4: string) => `64:ff9b::${v4}`],
    [
      '6to4',
      (v4: string) =>
        `2002:${Buffer.from(v4.split('.').map(Number))
          .toString('hex')
          .replace(/(....)/, '$1:')}::1`,
    ],
  ])('checks the IPv4 address in an %s address', (_name, embed) => {
    fc.assert(
      fc.property(fc.ipV4(), (v4) => {
        expect(judge(embed(v4))).toBe(judge(v4));
      }),
    );
    for (const v4 of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '192.168.0.1', '0.0.0.0'])
      expect(judge(embed(v4))).toBe(false);
    expect(judge(embed('8.8.8.8'))).toBe(true);
  });
});

describe('parseAddress', () => {
  it.each([
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '017700000001',
    '2130706433',
    '127.0.0.1.',
    'fe80::1%eth0',
    '2606::1%lo',
    '[',
    '::g',
    '1.2.3.4/8',
  ])('parses no address in %j', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });

  it('parses both families, IPv6 with or without brackets', () => {
    expect(parseAddress('1.2.3.4')?.toString()).toBe('1.2.3.4');
    expect(parseAddress('[2606:4700::1]')?.toString()).toBe('2606:4700::1');
    expect(parseAddress('2606:4700::1')?.toString()).toBe('2606:4700::1');
  });
});

describe('parseRange', () => {
  it.each([
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.0.0.5', '10.0.0.5', true],
    ['10.0.0.5', '10.0.0.6', false],
    ['10.0.0.0/8', '::ffff:10.1.1.1', true],
    ['10.0.0.0/8', '64:ff9b::10.1.1.1', false],
    [' fd00::/8 ', 'fdff::1', true],
    ['fd00::/8', '10.0.0.1', false],
    ['::1/128', '::1', true],
    ['::1', '::2', false],
    ['0.0.0.0/0', '127.0.0.1', true],
  ])('%s contains %s: %s', (range, address, contains) => {
    expect(inRange(parseAddress(address)!, parseRange(range))).toBe(contains);
  });

  it.each([
    '',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0/8',
    'fd00::/129',
    '10.0.0.0/8.5',
    'private',
  ])('refuses %j', (text) => {
    expect(() => parseRange(text)).toThrow(RangeError);
  });
});
