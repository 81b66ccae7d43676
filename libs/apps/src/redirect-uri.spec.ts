import { isRegistered, redirectUriProblem } from './redirect-uri.js';

test.each([
  'https://app.example/callback',
  'https://app.example/callback?tenant=1',
  'https://app.example:8443/',
  'http://localhost:3000/callback',
  'http://127.0.0.1/callback',
  'http://[::1]:8080/callback',
])('%s can be a redirect URI', (uri) => {
  expect(redirectUriProblem(uri)).toBeUndefined();
});

test.each([
  'http://app.example/callback',
  'http://127.0.0.1.evil.example/callback',
  'http://localhost.evil.example/',
  'https://user@app.example/callback',
  'https://user:password@app.example/callback',
  'https://@app.example/callback',
  'https://app.example/callback#fragment',
  'https://app.example/callback#',
  'https://app.example/a/../callback',
  'https://app.example/a/%2e%2e/callback',
  'https://app.example\\@evil.example/',
  'https://app.example/\ncallback',
  'https:app.example',
  'https://0x7f.1/',
  'javascript:alert(1)',
  'tieline://callback',
  'callback',
  `https://app.example/${'x'.repeat(2048)}`,
])('%s cannot', (uri) => {
  expect(redirectUriProblem(uri)).toBeDefined();
});

describe('a request', () => {
  const registered = ['https://app.example/callback', 'http://127.0.0.1/cb', 'http://localhost:3000/cb'];

  it.each(['https://app.example/callback', 'http://127.0.0.1:51234/cb', 'http://127.0.0.1/cb'])(
    'may use %s',
    (uri) => {
      expect(isRegistered(registered, uri)).toBe(true);
    },
  );

  it.each([
    'https://app.example/callback/',
    'https://app.example/callback?x=1',
    'https://app.example/callback/../evil',
    'https://APP.example/callback',
    'https://app.example:443/callback',
    'https://app.example.evil.example/callback',
    'https://app.example@evil.example/callback',
    'http://app.example/callback',
    'http://localhost:3001/cb',
    'http://localhost/cb',
    'https://127.0.0.1:51234/cb',
    'http://127.0.0.1:51234/cb/../x',
    'http://127.0.0.1:51234@evil.example/cb',
    'http://127.0.0.1:99999/cb',
  ])('may not use %s', (uri) => {
    expect(isRegistered(registered, uri)).toBe(false);
  });
});
