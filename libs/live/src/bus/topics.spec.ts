import { lineOf, GAP_LINE, spilledLine, unpackFrame } from './lines.js';
import { SHARED_TOPIC, packByTopic, topicOf } from './topics.js';

const line = (channel: string, n: number): string => lineOf(channel, n) as string;
/** Keys of two different topics. */
const [a, b] = ['live@a', 'live@b'];

describe('topics', () => {
  it('keep all messages of a key together, and share one topic for channels without a key', () => {
    expect(topicOf('dm')).toBe(SHARED_TOPIC);
    expect(topicOf(a)).not.toBe(SHARED_TOPIC);
    expect(topicOf('live@a')).toBe(topicOf('typing@a'));
  });

  it('are evenly filled', () => {
    const counts = new Map<string, number>();
    for (let n = 0; n < 6400; n += 1) {
      const topic = topicOf(`live@0190d5e0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`);
      counts.set(topic, (counts.get(topic) ?? 0) + 1);
    }
    expect(counts.size).toBe(64);
    expect(Math.max(...counts.values())).toBeLessThan(200);
  });
});

describe('packByTopic', () => {
  const pack = (lines: string[]): [string, string[]][] =>
    packByTopic(lines, 1000, () => 's').map(({ topic, frame }) => [topic, unpackFrame(frame)]);

  it('one frame per topic, each in order', () => {
    expect(pack([line(a, 1), line(b, 2), line(a, 3), line(b, 4)])).toEqual([
      [topicOf(a), [line(a, 1), line(a, 3)]],
      [topicOf(b), [line(b, 2), line(b, 4)]],
    ]);
  });

  it('messages of the shared topic keep their order relative to all others', () => {
    expect(pack([line(a, 1), GAP_LINE, line('dm', 2), line(a, 3)])).toEqual([
      [topicOf(a), [line(a, 1)]],
      [SHARED_TOPIC, [GAP_LINE, line('dm', 2)]],
      [topicOf(a), [line(a, 3)]],
    ]);
  });

  it('a stored message uses the topic of its channel', () => {
    expect(pack([spilledLine('id', a)])).toEqual([[topicOf(a), [spilledLine('id', a)]]]);
  });
});
