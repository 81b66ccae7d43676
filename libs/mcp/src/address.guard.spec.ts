import type { PlatformSettings } from '@tieline/platform/config';
import { AddressGuard } from './address.guard.js';

const codeOf = (publicUrl: string, host?: string, origin?: string): string | undefined =>
  new AddressGuard({ publicUrl } as PlatformSettings).refusalOf({
    ...(host !== undefined && { host }),
    ...(origin !== undefined && { origin }),
  })?.code;

const [PUBLIC, LOCAL] = ['https://chat.example', 'http://localhost:3000'];

test.each([
  [PUBLIC, 'chat.example', undefined],
  [PUBLIC, 'CHAT.example:8443', 'https://chat.example'],
  [PUBLIC, '127.0.0.1:3000', undefined],
  [PUBLIC, '[::1]:3000', undefined],
  [LOCAL, 'localhost:3000', 'http://localhost:6274'],
  [LOCAL, '127.0.0.1:3000', 'http://127.0.0.1:3000'],
])('%s: Host %s and Origin %s are allowed', (publicUrl, host, origin) => {
  expect(codeOf(publicUrl, host, origin)).toBeUndefined();
});

test.each([
  [PUBLIC, undefined, undefined, 'host_not_allowed'],
  [PUBLIC, 'evil.example', undefined, 'host_not_allowed'],
  [PUBLIC, 'chat.example.evil.example', undefined, 'host_not_allowed'],
  [PUBLIC, 'evil.example#chat.example', undefined, 'host_not_allowed'],
  [PUBLIC, 'localhost.evil.example', undefined, 'host_not_allowed'],
  [PUBLIC, 'chat.example', 'https://evil.example', 'origin_not_allowed'],
  [PUBLIC, 'chat.example', 'http://localhost:3000', 'origin_not_allowed'],
  [PUBLIC, 'chat.example', 'null', 'origin_not_allowed'],
  [PUBLIC, 'chat.example', '', 'origin_not_allowed'],
  [LOCAL, 'localhost:3000', 'https://evil.example', 'origin_not_allowed'],
])('%s: Host %s and Origin %s are refused', (publicUrl, host, origin, code) => {
  expect(codeOf(publicUrl, host, origin)).toBe(code);
});
