import type { IncomingMessage } from 'node:http';
import { ClientAddresses, countedAddress, isRange } from './client-addresses.js';

const PROXIES = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8'];

function addressOf(peer: string, forwarded?: string, proxies: readonly string[] = PROXIES): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const request = { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage;
  return new ClientAddresses(proxies).of(request);
}

test.each<[string, string, string | undefined, string]>([
  ['no header', '10.0.0.1', undefined, '10.0.0.1'],
  ['one proxy', '10.0.0.1', '203.0.113.5', '203.0.113.5'],
  ['a client that sent the header itself', '10.0.0.1', '198.51.100.1, 203.0.113.5', '203.0.113.5'],
  ['two proxies', '10.0.0.1', '198.51.100.1, 203.0.113.5, 192.0.2.7', '203.0.113.5'],
  ['only proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['an untrusted peer', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['an IPv4-mapped peer', '::ffff:10.0.0.1', '203.0.113.5', '203.0.113.5'],
  ['an IPv6 client with brackets and port', 'fd00::1', '[2001:db8::1]:4711', '2001:db8::1'],
  ['an IPv4 client with a port', '10.0.0.1', '203.0.113.5:4711', '203.0.113.5'],
  ['a header that is not an address', '10.0.0.1', '203.0.113.5, unknown', '10.0.0.1'],
  ['an empty header', '10.0.0.1', '', '10.0.0.1'],
])('the client is the right-most untrusted address: %s', (_, peer, forwarded, client) => {
  expect(addressOf(peer, forwarded)).toBe(client);
});

test('without trusted proxies the header is ignored', () => {
  expect(addressOf('10.0.0.1', '203.0.113.5', [])).toBe('10.0.0.1');
  expect(addressOf('::ffff:10.0.0.1', '203.0.113.5', [])).toBe('10.0.0.1');
});

test.each([
  ['203.0.113.5', '203.0.113.5'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:db8:1:2::9', '2001:db8:1:2::'],
  ['2001:db8:1:3::9', '2001:db8:1:3::'],
  ['nothing', 'nothing'],
])('%s is counted as %s', (address, counted) => {
  expect(countedAddress(address)).toBe(counted);
});

test.each([
  ['10.0.0.0/8', true],
  ['::1', true],
  ['fd00::/8', true],
  ['10.0.0.0/33', false],
  ['10', false],
  ['proxy.internal', false],
  ['', false],
])('%s is a range: %s', (text, expected) => {
  expect(isRange(text)).toBe(expected);
});
