import fc from 'fast-check';
import { processorMs } from '@tieline/testing';
import { imageDimensions } from './image-dimensions.js';

const hex = (text: string): Buffer => Buffer.from(text.replace(/ /g, ''), 'hex');
const PNG = hex('89504e470d0a1a0a 0000000d 49484452 00000280 00000168 0806000000');
const GIF = hex('474946383961 0f00 1400 800000');
const JPEG = hex(
  'ffd8 ffe0 0010 4a46494600010100000100010000 ffc0 0011 08 012c 0190 03 012200 021101 031101',
);
const TURNED = hex(
  'ffd8 ffe1 0022 457869660000 4d4d002a00000008 0001 0112 0003 00000001 0006 0000 00000000 ffc0 0011 08 012c 0190 03 012200 021101 031101',
);
const WEBP = hex('52494646 24000000 57454250 56503820 18000000 300100 9d012a 4001 f000 0000');
const WEBP_LARGE = hex('52494646 24000000 57454250 56503858 0a000000 00000000 ff0300 1f0200');

test.each<[string, Buffer, number, number]>([
  ['PNG', PNG, 640, 360],
  ['GIF', GIF, 15, 20],
  ['JPEG', JPEG, 400, 300],
  ['a JPEG on its side', TURNED, 300, 400],
  ['WebP', WEBP, 320, 240],
  ['extended WebP', WEBP_LARGE, 1024, 544],
])('%s', (_, bytes, width, height) => {
  expect(imageDimensions(Buffer.concat([bytes, Buffer.alloc(20)]))).toEqual({ width, height });
});

test.each<[string, Buffer]>([
  ['nothing', Buffer.alloc(0)],
  ['text', Buffer.from('hello')],
  ['a PNG cut short', PNG.subarray(0, 18)],
  ['a JPEG without its size', JPEG.subarray(0, 22)],
  ['a PNG of no width', Buffer.concat([PNG.subarray(0, 16), Buffer.alloc(8)])],
  ['a PNG of 4294967295 pixels', Buffer.concat([PNG.subarray(0, 16), Buffer.alloc(8, 0xff)])],
  ['another format', hex('00000018 66747970 68656963 00000000')],
  ['an SVG', Buffer.from('<svg width="5" height="5"/>')],
])('%s: 0', (_, bytes) => {
  expect(imageDimensions(bytes)).toEqual({ width: 0, height: 0 });
});

test('malicious images neither throw nor take long', () => {
  const heads = [PNG, GIF, JPEG, TURNED, WEBP, WEBP_LARGE].map((head) => fc.constant(head));
  const hostile = fc
    .tuple(fc.oneof(...heads), fc.nat(40), fc.uint8Array({ maxLength: 200 }))
    .map(([head, keep, rest]) => Buffer.concat([head.subarray(0, keep), rest]));
  fc.assert(
    fc.property(hostile, (bytes) => {
      const { width, height } = imageDimensions(bytes);
      expect([width, height].every((length) => Number.isInteger(length) && length >= 0)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test.each(['00', 'ff', 'ffe10002', 'ffe1000845786966', 'ffd80000ff'])(
  'a JPEG of 4 MiB of %s is abandoned quickly',
  (pattern) => {
    const bytes = Buffer.concat([
      hex('ffd8'),
      Buffer.alloc(4 * 1024 * 1024, hex(pattern)),
      JPEG.subarray(20),
    ]);
    const spent = processorMs(() => expect(imageDimensions(bytes)).toEqual({ width: 0, height: 0 }));
    expect(spent).toBeLessThan(100);
  },
);
