import fc from 'fast-check';
import { sniffType } from './file-content.js';

const ZIP = Buffer.from('504b0304140000000800', 'hex');
const HEADS = [
  ZIP,
  Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'),
  Buffer.from('1a45dfa3', 'hex'),
  Buffer.from('ID3\x03\0\0\x7f\x7f\x7f\x7f', 'latin1'),
  Buffer.from('\x1f\x8b\x08\0\0\0\0\0', 'latin1'),
  Buffer.from('\0\0\0\x18ftypheic', 'latin1'),
  Buffer.from('II*\0\x08\0\0\0', 'latin1'),
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'),
  Buffer.from('OggS', 'latin1'),
];

test.each<[string, Buffer, string]>([
  ['PNG', Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex'), 'image/png'],
  ['PDF', Buffer.from('%PDF-1.7\n'), 'application/pdf'],
  ['gzip', Buffer.concat([Buffer.from('1f8b0800000000000003', 'hex'), Buffer.alloc(20)]), 'application/gzip'],
  ['MP3', Buffer.from('fffb9064'.repeat(120), 'hex'), 'audio/mpeg'],
  ['an executable', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100)]), 'application/octet-stream'],
  ['text', Buffer.from('hello'), 'application/octet-stream'],
  ['one byte', Buffer.from('x'), 'application/octet-stream'],
])('%s', async (_, bytes, type) => {
  expect(await sniffType(bytes)).toBe(type);
});

test('malicious bytes neither throw nor take long', async () => {
  const hostile = fc
    .tuple(fc.constantFrom(...HEADS), fc.uint8Array({ maxLength: 300 }), fc.boolean())
    .map(([head, rest, zeros]) => Buffer.concat([head, rest, Buffer.alloc(zeros ? 100_000 : 0)]));
  await fc.assert(
    fc.asyncProperty(hostile, async (bytes) => {
      const before = process.cpuUsage();
      expect(await sniffType(bytes)).toMatch(/^[a-z]+\/[a-z0-9.+-]+$/);
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(500);
    }),
    { numRuns: 500 },
  );
});
