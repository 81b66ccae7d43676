import { channelOf, lineOf, packFrames, parseSpilled, payloadOf, spilledLine, unpackFrame } from './lines.js';

describe('lines', () => {
  it('carry any JSON, including line breaks and tabs', () => {
    for (const payload of [{ text: 'a\tb\nc\u2028\u0000"' }, [1, null], 'x', null, true]) {
      const line = lineOf('client:42', payload) as string;
      expect([channelOf(line), payloadOf(line)]).toEqual(['client:42', payload]);
      expect(line).not.toContain('\n');
    }
    expect(payloadOf(lineOf('c', undefined) as string)).toBeNull();
  });

  it('are refused for invalid JSON, large payloads and channels that would break the format', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const payload of [circle, 1n, () => 1, 'x'.repeat(1_048_576), 'ü'.repeat(600_000)])
      expect(lineOf('c', payload)).toBeUndefined();
    for (const channel of ['', 'a\tb', 'a\nb', 'x'.repeat(201)]) expect(lineOf(channel, 1)).toBeUndefined();
  });

  it('can refer to a stored message', () => {
    expect(parseSpilled(spilledLine('id-1', 'client:42'))).toEqual({ id: 'id-1', channel: 'client:42' });
    expect(parseSpilled(lineOf('spilled', 1) as string)).toBeUndefined();
  });
});

describe('packFrames', () => {
  it('keeps all lines in order and every frame within its size', () => {
    const lines = Array.from({ length: 200 }, (_, index) => `c\t"${'ü'.repeat(index % 37)}${index}"`);
    let stamps = 0;
    const frames = packFrames(lines, 300, () => `s.${(stamps += 1)}`);
    expect(frames.flatMap(unpackFrame)).toEqual(lines);
    expect(Math.max(...frames.map((frame) => Buffer.byteLength(frame)))).toBeLessThanOrEqual(300);
    expect(frames.length).toBeLessThan(60);
  });

  it('creates unique frames, and none without lines', () => {
    let stamps = 0;
    const frames = packFrames(['c\t1', 'c\t1'], 10, () => `s.${(stamps += 1)}`);
    expect(new Set(frames).size).toBe(2);
    expect(packFrames([], 100, () => '')).toEqual([]);
  });
});
