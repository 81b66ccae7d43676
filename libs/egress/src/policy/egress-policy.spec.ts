import fc from 'fast-check';
import { Environment } from '@tieline/platform/config';
import { EgressSettings } from '../egress.settings.js';
import { AddressNotAllowedError, EgressPolicy, PublicEgressPolicy } from './egress-policy.js';

const strict = new EgressPolicy({ allowHttp: false, allowedCidrs: [] });
const embedded = new EgressPolicy({ allowHttp: true, allowedCidrs: ['127.0.0.0/8', '::1/128'] });

function answering(answers: string[] | Error, allowedCidrs: string[] = []): EgressPolicy {
  const resolve = () => (answers instanceof Error ? Promise.reject(answers) : Promise.resolve(answers));
  return new EgressPolicy({ allowHttp: false, allowedCidrs, resolve });
}

function verdictOn(url: string, policy = strict): string {
  const verdict = policy.checkUrl(url);
  return verdict.allowed ? 'allowed' : verdict.reason;
}

describe('checkUrl', () => {
  it.each([
    'https://example.com',
    'https://example.com:8443/hook?x=1',
    'https://EXAMPLE.com./hook',
    'https://8.8.8.8/hook',
    'https://[2606:4700::1111]/hook',
    'https://xn--bcher-kva.example/hook',
    'https://example.com/@user',
    'https://example.com/?mail=a@b.example',
    'https://notlocalhost/',
    'https://localhost.example/',
  ])('allows %s', (url) => {
    expect(verdictOn(url)).toBe('allowed');
  });

  it.each([
    '',
    'example.com',
    'https://',
    'https://exa mple.com',
    'https://[::1',
    'https://[fe80::1%25eth0]/',
    'https://256.256.256.256/',
  ])('rejects the invalid range %j', (url) => {
    expect(verdictOn(url)).toBe('invalid_url');
  });

  it.each([
    'https://a:99999/',
    'https://a:65536',
    'http://[::1]:70000/x',
    'https://a:0/',
    'https://8.8.8.8:00/',
  ])('refuses the port of %s', (url) => {
    expect(verdictOn(url, embedded)).toBe('port');
  });

  it.each(['https://a:x/', 'https://:99999/'])('accepts the port of %s', (url) => {
    expect(verdictOn(url)).toBe('invalid_url');
  });

  it.each([
    'http://example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'wss://example.com',
    'data:text/plain,x',
  ])('refuses the scheme of %s', (url) => {
    expect(verdictOn(url)).toBe('scheme');
  });

  it('allows http, and nothing else, if the operator does', () => {
    expect(verdictOn('http://example.com', embedded)).toBe('allowed');
    expect(verdictOn('https://example.com', embedded)).toBe('allowed');
    expect(verdictOn('ftp://example.com', embedded)).toBe('scheme');
  });

  it.each([
    'https://user@example.com',
    'https://user:pass@example.com',
    'https://:pass@example.com',
    'https://@example.com',
    'https://:@example.com/',
    'https:\\\\user@example.com',
    'https:///@example.com',
    'ht\ntps://@example.com',
    'https://8.8.8.8@example.com',
  ])('refuses userinfo in %j', (url) => {
    expect(verdictOn(url)).toBe('userinfo');
  });

  it.each([
    'https://127.0.0.1/',
    'https://127.0.0.1./',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://017700000001/',
    'https://0177.0.0.01/',
    'https://127.0.0.1:8443/',
    'https://0/',
    'https://0.0.0.0/',
    'https://%31%32%37.0.0.1/',
    'https://127。0。0。1/',
    'https://①②⑦.0.0.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b::169.254.169.254]/',
    'https://[64:ff9b:1::1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:0:0:0:0:80ff:fffe]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://[ff02::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://255.255.255.255/',
    'https://224.0.0.1/',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://api.localhost/',
    'https://a.b.localhost.:8080/',
    'https://ⓛocalhost/',
    'https://local%68ost/',
  ])('refuses the address of %s', (url) => {
    expect(verdictOn(url)).toBe('address');
  });

  it('refuses a private IPv4 address in any notation', () => {
    const octet = fc.nat(255);
    const address = fc
      .constantFrom([10], [127], [192, 168], [169, 254])
      .chain((head) =>
        fc
          .array(octet, { minLength: 4 - head.length, maxLength: 4 - head.length })
          .map((tail) => [...head, ...tail]),
      );
    const part = (radix: number) => (value: number) =>
      radix === 8 ? `0${value.toString(8)}` : radix === 16 ? `0x${value.toString(16)}` : `${value}`;
    fc.assert(
      fc.property(
        address,
        fc.constantFrom(8, 10, 16),
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        (octets, radix, parts, dot) => {
          const head = octets.slice(0, parts - 1);
          const rest = octets.slice(parts - 1).reduce((sum, value) => sum * 256 + value, 0);
          const host = [...head, rest].map(part(radix)).join('.') + (dot ? '.' : '');
          expect(verdictOn(`https://${host}/`)).toBe('address');
        },
      ),
    );
  });

  it('allows exactly the allowed ranges', () => {
    const policy = new EgressPolicy({ allowHttp: false, allowedCidrs: ['10.1.0.0/16', 'fd00:1::/32'] });
    expect(verdictOn('https://10.1.255.255/', policy)).toBe('allowed');
    expect(verdictOn('https://[::ffff:10.1.2.3]/', policy)).toBe('allowed');
    expect(verdictOn('https://[fd00:1::5]/', policy)).toBe('allowed');
    expect(verdictOn('https://10.2.0.0/', policy)).toBe('address');
    expect(verdictOn('https://[fd00:2::5]/', policy)).toBe('address');
    expect(verdictOn('https://localhost/', policy)).toBe('address');
    expect(verdictOn('https://127.0.0.1/', policy)).toBe('address');
  });

  it('allows localhost names if a loopback address is allowed', () => {
    expect(verdictOn('http://localhost:3999/hook', embedded)).toBe('allowed');
    expect(verdictOn('http://api.localhost:3999/hook', embedded)).toBe('allowed');
    expect(verdictOn('http://10.0.0.1/', embedded)).toBe('address');
  });

  it('refuses an invalid range', () => {
    expect(() => new EgressPolicy({ allowHttp: false, allowedCidrs: ['private'] })).toThrow(RangeError);
  });

  it('is created from the configuration', () => {
    const policy = new EgressPolicy(
      new EgressSettings(new Environment({ EGRESS_ALLOW_HTTP: 'true', EGRESS_ALLOWED_CIDRS: '10.0.0.0/8' })),
    );
    expect(verdictOn('http://10.0.0.1/', policy)).toBe('allowed');
    expect(verdictOn('http://192.168.0.1/', policy)).toBe('address');
  });
});

describe('checkUrlResolved', () => {
  const url = 'https://receiver.example/hook';

  it.each([
    [['93.184.215.14'], 'allowed'],
    [['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'], 'allowed'],
    [['127.0.0.1'], 'address'],
    [['93.184.215.14', '10.0.0.1'], 'address'],
    [['93.184.215.14', '::1'], 'address'],
    [['fe80::1%eth0'], 'address'],
    [['::ffff:169.254.169.254'], 'address'],
    [['not an address'], 'address'],
  ])('a name that resolves to %j: %s', async (answers, expected) => {
    const verdict = await answering(answers).checkUrlResolved(url);
    expect(verdict.allowed ? 'allowed' : verdict.reason).toBe(expected);
  });

  it('accepts a name that does not resolve', async () => {
    const notFound = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
    expect(await answering(notFound).checkUrlResolved(url)).toMatchObject({ allowed: true });
    expect(await answering([]).checkUrlResolved(url)).toMatchObject({ allowed: true });
  });

  it('still refuses without resolution, and resolves no IP literal', async () => {
    const policy = answering(new Error('must not be asked'));
    expect(await policy.checkUrlResolved('http://example.com')).toEqual({ allowed: false, reason: 'scheme' });
    expect(await policy.checkUrlResolved('https://10.0.0.1')).toEqual({ allowed: false, reason: 'address' });
    expect(await policy.checkUrlResolved('https://8.8.8.8')).toMatchObject({ allowed: true });
  });
});

describe('resolve', () => {
  it('returns the allowed loopback addresses for localhost names, without DNS', async () => {
    const dns = new Error('must not be asked');
    expect(await answering(dns, ['127.0.0.0/8', '::1/128']).resolve('localhost')).toEqual([
      '127.0.0.1',
      '::1',
    ]);
    expect(await answering(dns, ['::1']).resolve('a.localhost.')).toEqual(['::1']);
    await expect(answering(dns).resolve('localhost')).rejects.toThrow(AddressNotAllowedError);
  });

  it('refuses all answers because of one', async () => {
    await expect(answering(['8.8.8.8', '192.168.0.1']).resolve('receiver.example')).rejects.toThrow(
      AddressNotAllowedError,
    );
    expect(
      await answering(['8.8.8.8', '192.168.0.1'], ['192.168.0.0/16']).resolve('receiver.example'),
    ).toEqual(['8.8.8.8', '192.168.0.1']);
  });
});

describe('registration', () => {
  it.each([
    ' https://example.com/',
    'https://example.com/ ',
    'https://example.com/a b',
    'https://example.com/\n',
    '\thttps://example.com',
  ])('refuses white space: %j', async (url) => {
    expect(await strict.checkUrlResolved(url)).toEqual({ allowed: false, reason: 'white_space' });
  });

  it.each(['https:example.com', 'https:/example.com', 'https:\\\\example.com'])(
    'refuses a text that only a tolerant parser accepts: %j',
    async (url) => {
      expect(await strict.checkUrlResolved(url)).toEqual({ allowed: false, reason: 'invalid_url' });
    },
  );
});

describe('addresses that serve credentials to cloud machines', () => {
  const open = new EgressPolicy({ allowHttp: true, allowedCidrs: ['0.0.0.0/0', '::/0'] });

  it.each([
    ...['169.254.169.254', '169.254.170.2', '169.254.170.23', '169.254.0.23', '100.100.100.200'],
    ...['192.0.0.192', '168.63.129.16', 'fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254'],
    ...['::ffff:169.254.169.254', '64:ff9b::a83f:8110', '2002:a9fe:a9fe::1', '::169.254.169.254'],
  ])('are refused whatever the operator allows: %s', (address) => {
    expect(open.addressAllowed(address)).toBe(false);
    const host = address.includes(':') ? `[${address}]` : address;
    expect(verdictOn(`http://${host}/latest/meta-data`, open)).toBe('address');
  });

  it.each(['169.254.169.253', '100.100.100.201', '168.63.129.17', 'fd00:ec2::255'])(
    'are single addresses: %s is allowed',
    (address) => {
      expect(open.addressAllowed(address)).toBe(true);
    },
  );
});

describe('the policy for addresses of people', () => {
  it.each([
    'http://example.com',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://10.0.0.1/',
    'https://[::1]/',
  ])('takes no settings: it refuses %s', (url) => {
    expect(verdictOn(url, new PublicEgressPolicy())).toMatch(/scheme|address/);
  });

  it('checks what a name resolves to', async () => {
    const policy = new PublicEgressPolicy({ resolve: () => Promise.resolve(['10.0.0.1']) });
    expect(await policy.checkUrlResolved('https://push.example/')).toEqual({
      allowed: false,
      reason: 'address',
    });
  });
});
