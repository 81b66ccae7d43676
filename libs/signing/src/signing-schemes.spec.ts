import fc from 'fast-check';
import { Webhook as StandardLibrary } from 'standardwebhooks';
import {
  equalsSecret,
  isFreshTimestamp,
  signV0,
  signDotted,
  signVersioned,
  signStandardWebhook,
  verifyBody,
  verifyColon,
  verifyV0,
  verifyDotted,
  verifyVersioned,
} from './signing-schemes.js';
import { newSigningSecret } from './tokens.js';

const ID = '01890f3c-7a5e-7c9a-8d1f-0123456789ab';

const SCHEMES = [
  { name: 'versioned', sign: signVersioned, verify: verifyVersioned },
  { name: 'dotted', sign: signDotted, verify: verifyDotted },
  { name: 'v0', sign: signV0, verify: verifyV0 },
];

it('verifies the vector of the body alone in GitHub’s documentation', () => {
  const secret = "It's a Secret to Everybody";
  const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
  expect(verifyBody(secret, Buffer.from('Hello, World!'), signature, 'sha256=')).toBe(true);
  expect(verifyBody(secret, Buffer.from('Hello, World!'), signature.slice(7))).toBe(true);
  expect(verifyBody(secret, Buffer.from('Hello, World?'), signature, 'sha256=')).toBe(false);
});

it('verifies Grafana’s digest of timestamp and body', () => {
  const signature = '9b7db627bbd5ddb1845a1595f6e040e4d74d1a9de91409de73d17dc3b3c153cc';
  expect(verifyColon('grafana secret', '1764547200', Buffer.from('{"status":"firing"}'), signature)).toBe(
    true,
  );
  expect(verifyColon('grafana secret', '1764547201', Buffer.from('{"status":"firing"}'), signature)).toBe(
    false,
  );
});

it('compares a secret that was sent unchanged', () => {
  expect([
    equalsSecret('s3cret', 's3cret'),
    equalsSecret('s3cret', 's3cre'),
    equalsSecret('s3cret', ''),
  ]).toEqual([true, false, false]);
});

describe.each(SCHEMES)('$name', ({ sign, verify }) => {
  const secret = newSigningSecret();
  const body = Buffer.from('{"text":"Привет"}');
  const signature = sign(secret, '1764547200', body);

  it('verifies its own signatures for any body and timestamp', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.nat(), (bytes, timestamp) => {
        expect(verify(secret, String(timestamp), bytes, sign(secret, String(timestamp), bytes))).toBe(true);
      }),
    );
  });

  it('refuses another body, another timestamp and another secret', () => {
    expect(verify(secret, '1764547200', Buffer.from('{"text":"привет"}'), signature)).toBe(false);
    expect(verify(secret, '1764547201', body, signature)).toBe(false);
    expect(verify(newSigningSecret(), '1764547200', body, signature)).toBe(false);
  });

  it('refuses every malformed signature without an exception', () => {
    const bare = signature.slice(signature.search(/[=,]/) + 1);
    const malformed = [
      '',
      bare,
      signature.slice(0, -1),
      `${signature}0`,
      `v9=${bare}`,
      signature.toUpperCase(),
      'é'.repeat(71),
    ];
    for (const text of malformed) expect(verify(secret, '1764547200', body, text)).toBe(false);
  });

  it('refuses an empty secret', () => {
    expect(() => sign('', '1764547200', body)).toThrow(RangeError);
    expect(() => verify('', '1764547200', body, signature)).toThrow(RangeError);
  });
});

it('accepts hex digits of either case', () => {
  const secret = newSigningSecret();
  const signature = signDotted(secret, 1764547200, Buffer.from('{}'));
  const digits = signature.slice('sha256='.length);
  expect(verifyDotted(secret, 1764547200, Buffer.from('{}'), `sha256=${digits.toUpperCase()}`)).toBe(true);
});

describe('Standard Webhooks', () => {
  it("is accepted by that project's own library", () => {
    const secret = newSigningSecret();
    const body = '{"event_type":"MESSAGE_CREATED","text":"Привет"}';
    const seconds = Math.floor(Date.now() / 1000);
    const headers = {
      'webhook-id': ID,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signStandardWebhook(secret, ID, seconds, Buffer.from(body)),
    };
    const library = new StandardLibrary(secret);
    expect(library.verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => library.verify(`${body} `, headers)).toThrow();
  });

  it('refuses a secret in another format', () => {
    expect(() => signStandardWebhook('plain', ID, 1, Buffer.from('{}'))).toThrow(RangeError);
  });
});

describe('isFreshTimestamp', () => {
  const now = 1764547200_999;

  it.each([
    ['1764547200', true],
    ['1764546900', true],
    ['1764547500', true],
    ['1764546899', false],
    ['1764547501', false],
    ['1764547200999', false],
    ['', false],
    ['+1764547200', false],
    ['-1764547200', false],
    ['1764547200.0', false],
    [' 1764547200', false],
    ['1764547200\n', false],
    ['1.7645472e9', false],
    ['0x692cdd80', false],
    ['١٧٦٤٥٤٧٢٠٠', false],
    ['9'.repeat(400), false],
  ])('%j is fresh: %s', (timestamp, fresh) => {
    expect(isFreshTimestamp(timestamp, now)).toBe(fresh);
  });
});
