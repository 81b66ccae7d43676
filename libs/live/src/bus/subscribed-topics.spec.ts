import { jest } from '@jest/globals';
import { SubscribedTopics } from './subscribed-topics.js';
import { topicOf } from './topics.js';

const CHANNEL = 'live@a';
const LINGER_MS = 10_000;

let left: string[];
let topics: SubscribedTopics;

beforeEach(() => {
  jest.useFakeTimers();
  left = [];
  topics = new SubscribedTopics(
    () => Promise.resolve(),
    (topic) => left.push(topic),
  );
});
afterEach(() => {
  topics.close();
  jest.useRealTimers();
});

describe('a topic', () => {
  it('is left a while after its last subscriber', () => {
    const [one, other] = [topics.want(CHANNEL), topics.want(CHANNEL)];
    one();
    jest.advanceTimersByTime(2 * LINGER_MS);
    expect(left).toEqual([]);
    other();
    jest.advanceTimersByTime(LINGER_MS - 1);
    expect(left).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(left).toEqual([topicOf(CHANNEL)]);
    expect([...topics.all]).toEqual([]);
  });

  it('is kept for a subscriber that returns in time', () => {
    topics.want(CHANNEL)();
    jest.advanceTimersByTime(LINGER_MS - 1);
    const leave = topics.want(CHANNEL);
    jest.advanceTimersByTime(2 * LINGER_MS);
    expect([left, [...topics.all]]).toEqual([[], [topicOf(CHANNEL)]]);
    leave();
  });
});
