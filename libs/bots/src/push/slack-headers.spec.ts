import { retryReason } from './slack-headers.js';

test.each([
  [503, null, 'http_error'],
  [429, null, 'http_error'],
  [null, 'timeout', 'http_timeout'],
  [null, 'certificate not trusted', 'ssl_error'],
  [null, 'TLS handshake failed', 'ssl_error'],
  [null, 'connection refused', 'connection_failed'],
  [null, 'connection closed by the receiver', 'connection_failed'],
  [null, 'host name not found', 'connection_failed'],
  [null, 'name resolution failed', 'connection_failed'],
  [null, 'receiver unreachable', 'connection_failed'],
  [null, 'invalid HTTP response', 'unknown_error'],
])('status %p with error %p is %s', (statusCode, error, reason) => {
  expect(retryReason({ statusCode, error })).toBe(reason);
});

test('a failure that is not logged is an unknown_error', () => {
  expect(retryReason(undefined)).toBe('unknown_error');
});
