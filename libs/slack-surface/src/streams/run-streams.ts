import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { runIdIn } from '@tieline/agent-runs';
import type { Place, Message } from '@tieline/conversations';
import { characters } from '@tieline/platform/http';
import { uuidv7 } from 'uuidv7';
import { SlackError } from '../dispatcher/slack-error.js';
import type { SlackCall } from '../dispatcher/slack-method.js';
import type { StreamChunk } from './stream-chunks.js';
import { added, emptyStream, isPlain, markdownOf, textChunk } from './stream-content.js';
import type { StreamContent } from './stream-content.js';
import { NO_TEXT, streamMessage } from './stream-message.js';

/** The longest text of a run. */
const MAX_RUN_TEXT = 4000;
/** Attempts to append while other calls append to the same run. */
const MAX_ATTEMPTS = 5;
/** Beginnings of the keys of runs. They remember how tasks are to be shown. */
const KEYS = { timeline: 'slack:', plan: 'slack-plan:' } as const;
/** Steps between sequences are random, so that concurrent calls never look like repeats. */
const MAX_STEP = 1_000_000;
const PATH = '/api/v1/bot/agent_runs';

/** Errors of runs that these methods call differently. */
export const RUN_ERRORS = { stale_sequence: 'streaming_state_conflict' } as const;

/** Where a run answers which message. */
export interface RunPlace {
  readonly conversation: Place;
  readonly parentMessageId: string | undefined;
  readonly triggerId: string;
}

interface Run {
  readonly id: string;
  readonly idempotency_key: string;
  readonly message_id: string;
  readonly sequence: number;
  readonly public_text: string;
  readonly is_terminal: boolean;
}

/** Streams whose text is that of an agent run, so that people can stop them. */
@Injectable()
export class RunStreams {
  /** Returns the run whose placeholder a message is, if it has not ended. */
  async runOf(call: SlackCall, { metadataJson }: Pick<Message, 'metadataJson'>): Promise<Run | undefined> {
    const id = runIdIn(metadataJson);
    if (id === undefined) return undefined;
    const run = await read(call, id);
    return run.is_terminal ? undefined : run;
  }

  /** Whether the text of a run can hold the content. */
  fits(content: StreamContent): boolean {
    return isPlain(content) && characters(markdownOf(content)) <= MAX_RUN_TEXT;
  }

  /** Starts a run with a text and returns the id of its message. */
  async start(call: SlackCall, place: RunPlace, content: StreamContent): Promise<string> {
    const { agent_run: run } = await call.rest<{ agent_run: Run }>('POST', PATH, {
      body: {
        conversation_id: place.conversation.id,
        trigger_message_id: place.triggerId,
        idempotency_key: `${KEYS[content.mode]}${uuidv7()}`,
        ...(place.parentMessageId !== undefined && { parent_message_id: place.parentMessageId }),
      },
    });
    const text = markdownOf(content);
    if (text !== '') await patch(call, run, { status: 'finalizing', append: text });
    return run.message_id;
  }

  /**
   * Adds chunks to a run.
   * @returns the whole content if the run cannot hold it; the run has then ended with what it can
   */
  append(call: SlackCall, run: Run, chunks: readonly StreamChunk[]): Promise<StreamContent | undefined> {
    return this.withLatest(call, run, async (latest) => {
      const content = added(contentOf(latest), chunks);
      if (!this.fits(content)) return this.leave(call, latest, content);
      await patch(call, latest, { status: 'finalizing', append: appendix(latest, content) });
      return undefined;
    });
  }

  /** Ends a run with further chunks and returns its whole content. */
  end(call: SlackCall, run: Run, chunks: readonly StreamChunk[]): Promise<StreamContent> {
    return this.withLatest(call, run, async (latest) => {
      const content = added(contentOf(latest), chunks);
      if (!this.fits(content)) return this.leave(call, latest, content);
      const isEmpty = markdownOf(content) === '';
      const append = appendix(latest, content);
      await patch(call, latest, {
        status: isEmpty ? 'cancelled' : 'completed',
        ...(!isEmpty && append !== '' && { append }),
      });
      return content;
    });
  }

  /** Ends the run with the beginning of the content, which an edit of its message then replaces. */
  private async leave(call: SlackCall, run: Run, content: StreamContent): Promise<StreamContent> {
    // Refuses what a message cannot have before the run ends.
    streamMessage(content, () => undefined);
    const text = [...markdownOf(content)].slice(0, MAX_RUN_TEXT).join('');
    await patch(call, run, { status: 'completed', public_text: text || NO_TEXT });
    return content;
  }

  /** Repeats a change that another call to the same run has overtaken. */
  private async withLatest<T>(call: SlackCall, first: Run, change: (run: Run) => Promise<T>): Promise<T> {
    let run = first;
    for (let attempt = 1; ; attempt += 1)
      try {
        return await change(run);
      } catch (error) {
        if (!isOvertaken(error) || attempt === MAX_ATTEMPTS) throw error;
        run = await read(call, run.id);
        if (run.is_terminal) throw new SlackError('message_not_in_streaming_state');
      }
  }
}

async function read(call: SlackCall, id: string): Promise<Run> {
  const { agent_run: run } = await call.rest<{ agent_run: Run }>('GET', `${PATH}/${id}`);
  return run;
}

async function patch(call: SlackCall, { id, sequence }: Run, change: object): Promise<void> {
  await call.rest('PATCH', `${PATH}/${id}`, {
    body: { ...change, sequence: sequence + randomInt(1, MAX_STEP) },
  });
}

/** Returns the content of a run so far. */
function contentOf({ idempotency_key: key, public_text: text }: Run): StreamContent {
  return added(emptyStream(key.startsWith(KEYS.plan) ? 'plan' : 'timeline'), [textChunk(text)]);
}

/** Returns what the content has after the text of the run. */
const appendix = ({ public_text: text }: Run, content: StreamContent): string =>
  markdownOf(content).slice(text.length);

const isOvertaken = (error: unknown): boolean =>
  error instanceof SlackError && error.error === RUN_ERRORS.stale_sequence;
