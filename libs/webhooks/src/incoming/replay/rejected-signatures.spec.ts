import { RejectedSignatures } from './rejected-signatures.js';

const signature = (n: number): Buffer => Buffer.from(`signature ${n}`);

test('keeps a rejected signature of one webhook', () => {
  const rejected = new RejectedSignatures();
  rejected.add('a', signature(1));
  expect(rejected.has('a', signature(1))).toBe(true);
  expect(rejected.has('a', signature(2))).toBe(false);
  expect(rejected.has('b', signature(1))).toBe(false);
});

test('forgets a signature after its lifetime', () => {
  const rejected = new RejectedSignatures(0);
  rejected.add('a', signature(1));
  expect(rejected.has('a', signature(1))).toBe(false);
});

test('drops the oldest signatures beyond 10,000', () => {
  const rejected = new RejectedSignatures();
  for (let n = 0; n <= 10_000; n += 1) rejected.add('a', signature(n));
  expect(rejected.has('a', signature(0))).toBe(false);
  expect(rejected.has('a', signature(1))).toBe(true);
});
