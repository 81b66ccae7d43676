import type { ContextRequest } from '@tieline/conversations';
import { contextFor, contextRequest, readContexts } from './event-context.js';
import { chatEvent, IDS } from '../testing/chat-events.js';

const message = (n: number) => ({ id: String(n), content: 'x', author_id: 'a', created_at: 't' });
const request: ContextRequest = { spaceId: 's', conversationId: 'c', beforeMsgIndex: 9, limit: 2 };

describe('the context of an event', () => {
  test('consists of the messages before a message, or the newest for other events', () => {
    const place = { spaceId: IDS.space, conversationId: IDS.channel };
    expect(contextRequest(chatEvent(), 5)).toEqual({ ...place, beforeMsgIndex: 7, limit: 5 });
    expect(contextRequest(chatEvent({ type: 'REACTION_ADDED' }), 5)).toMatchObject({ ...place, limit: 6 });
    expect(contextRequest(chatEvent({ type: 'CONVERSATION_ARCHIVED' }), 5).beforeMsgIndex).toBeGreaterThan(
      2 ** 50,
    );
  });

  test('is read for all events together', async () => {
    const contexts = await readContexts(
      async (requests) => requests.map(({ limit }) => [message(limit)]),
      [request, { ...request, limit: 3 }],
      () => undefined,
    );
    expect(contexts).toEqual([
      { messages: [message(2)], context_error: false },
      { messages: [message(3)], context_error: false },
    ]);
  });

  test('sets context_error if it cannot be read and reports the reason', async () => {
    const errors: unknown[] = [];
    const fault = new Error('away');
    const contexts = await readContexts(
      () => Promise.reject(fault),
      [request, request],
      (error) => errors.push(error),
    );
    expect(contexts).toEqual([
      { messages: [], context_error: true },
      { messages: [], context_error: true },
    ]);
    expect(errors).toEqual([fault]);
  });

  test('fails if the read takes too long', async () => {
    const never = new Promise<never>(() => undefined);
    expect(
      await readContexts(
        () => never,
        [request],
        () => undefined,
        5,
      ),
    ).toEqual([{ messages: [], context_error: true }]);
  });

  test('a smaller size gets the newest messages of a larger read, without the message itself', () => {
    const context = {
      messages: [message(1), message(2), message(3), { ...message(4), id: IDS.message }],
      context_error: false,
    };
    const ids = (size: number) =>
      contextFor(chatEvent({ type: 'REACTION_ADDED' }), context, size).messages.map(({ id }) => id);
    expect([ids(2), ids(50)]).toEqual([
      ['2', '3'],
      ['1', '2', '3'],
    ]);
  });
});
