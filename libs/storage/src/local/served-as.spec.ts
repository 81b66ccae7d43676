import { validateHeaderValue } from 'node:http';
import fc from 'fast-check';
import { contentDisposition, servedType } from './served-as.js';

it.each([
  ['image/png', 'image/png'],
  ['IMAGE/PNG', 'image/png'],
  ['application/pdf; x=y', 'application/pdf'],
  ['text/plain; charset=UTF-8', 'text/plain; charset=utf-8'],
  ['text/plain; charset="x y"', 'text/plain'],
  [
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
  ['application/json', 'application/json'],
])('serves %s as %s', (given, served) => {
  expect(servedType(given)).toBe(served);
});

it.each([
  'text/html',
  ' text/HTML ;charset=x',
  'application/xhtml+xml',
  'image/svg+xml',
  'image/svg',
  'text/xml',
  'application/xml',
  'application/xml-dtd',
  'application/rss+xml',
  'text/javascript',
  'application/javascript',
  'application/x-javascript',
  'application/ecmascript',
  'text/x-ecmascript',
  'text/css',
  'text/xsl',
  'text/vbscript',
  'multipart/x-mixed-replace',
  'application/x-shockwave-flash',
  'application/wasm',
  '',
  'text',
  'text/',
  '*/*',
  'a/b/c',
  'a b/c',
  'text/plain\r\nx-y: z',
  'текст/plain',
])('serves %j as plain bytes', (given) => {
  expect(servedType(given)).toBe('application/octet-stream');
});

it.each([
  ['a.pdf', `attachment; filename="a.pdf"; filename*=UTF-8''a.pdf`],
  ['two words.pdf', `attachment; filename="two words.pdf"; filename*=UTF-8''two%20words.pdf`],
  [`it's (1)*!.txt`, `attachment; filename="it's (1)*!.txt"; filename*=UTF-8''it%27s%20%281%29%2A!.txt`],
  ['"; x="y', `attachment; filename="_; x=_y"; filename*=UTF-8''%22%3B%20x%3D%22y`],
  ['отчёт.pdf', `attachment; filename="_____.pdf"; filename*=UTF-8''%D0%BE%D1%82%D1%87%D1%91%D1%82.pdf`],
  ['😀.png', `attachment; filename="_.png"; filename*=UTF-8''%F0%9F%98%80.png`],
  ['a\r\nset-cookie: x', `attachment; filename="a__set-cookie: x"; filename*=UTF-8''a__set-cookie%3A%20x`],
  ['../../etc/passwd', `attachment; filename=".._.._etc_passwd"; filename*=UTF-8''.._.._etc_passwd`],
  ['C:\\x.exe', `attachment; filename="C:_x.exe"; filename*=UTF-8''C%3A_x.exe`],
  ['photo\u202Egnp.exe', `attachment; filename="photo_gnp.exe"; filename*=UTF-8''photo_gnp.exe`],
  ['100%.txt', `attachment; filename="100_.txt"; filename*=UTF-8''100%25.txt`],
  ['\ud800.txt', `attachment; filename="_.txt"; filename*=UTF-8''%EF%BF%BD.txt`],
  [' ', `attachment; filename="file"; filename*=UTF-8''file`],
])('offers a download under the name %j', (name, header) => {
  expect(contentDisposition(name)).toBe(header);
});

it('creates a well-formed header for any name', () => {
  const form =
    /^attachment; filename="[\x20\x21\x23-\x5b\x5d-\x7e]+"; filename\*=UTF-8''(?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-F]{2})+$/;
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(contentDisposition(name)).toMatch(form);
      validateHeaderValue('content-disposition', contentDisposition(name));
    }),
  );
});
