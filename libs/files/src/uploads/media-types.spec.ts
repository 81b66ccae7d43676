import { essenceOf, fileTypeOf, isAllowedType, typeOfName } from './media-types.js';

test.each([
  ['image/png', 'image'],
  ['image/svg+xml', 'image'],
  ['IMAGE/JPEG; q=1', 'image'],
  ['audio/mpeg', 'audio'],
  ['video/mp4', 'video'],
  ['text/html', 'document'],
  ['text/plain;charset=utf-8', 'document'],
  [' application/pdf ', 'document'],
  ['application/json', 'document'],
  ['application/xml', 'document'],
  ['application/zip', 'document'],
  ['application/gzip', 'document'],
  ['application/octet-stream', 'document'],
  ['application/msword', 'document'],
  ['application/vnd.ms-excel.sheet.macroEnabled.12', 'document'],
  ['application/vnd.ms-word.document.macroenabled.12', 'document'],
  ['application/vnd.ms-excel', 'document'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'document'],
  ['application/vnd.oasis.opendocument.text', 'document'],
])('%s may be uploaded, as %s', (given, kind) => {
  const essence = essenceOf(given)!;
  expect([isAllowedType(essence), fileTypeOf(essence)]).toEqual([true, kind]);
});

test.each([
  'application/x-msdownload',
  'application/javascript',
  'application/x-sh',
  'multipart/form-data',
  'font/woff2',
  'imagery/png',
  'application/vnd.openxmlformats',
  'application/pdfx',
])('%s may not be uploaded', (given) => {
  expect(isAllowedType(essenceOf(given)!)).toBe(false);
});

test.each([
  '',
  'image',
  'image/',
  '/png',
  'image/*/x',
  'image/p ng',
  'image/png\r\nx: y',
  'image/png,text/html',
  `image/${'x'.repeat(128)}`,
])('%p is not a type', (given) => {
  expect(essenceOf(given)).toBeUndefined();
});

test.each([
  ['report.CSV', 'text/csv'],
  ['a.b.py', 'text/plain'],
  ['sheet.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['photo.jpeg', 'image/jpeg'],
  ['program.exe', 'application/octet-stream'],
  ['png', 'application/octet-stream'],
  ['constructor', 'application/octet-stream'],
  ['a.', 'application/octet-stream'],
  ['', 'application/octet-stream'],
])('the type of %j is %s', (name, type) => {
  expect(typeOfName(name)).toBe(type);
  expect(isAllowedType(type)).toBe(true);
});
