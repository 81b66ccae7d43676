import type { Happening } from '../happening.js';
import type { Answer } from './answer.js';
import type { BotApi } from '../bot-api.js';

/** What came of an answer. */
export interface Receipt {
  /**
   * The message that it posted; absent for answers that travel with the acknowledgement or the
   * callback's reply.
   */
  messageId?: string;
}

/**
 * Too late for any answer: the token or the interaction is used up or expired. Trying again doesn't
 * help.
 */
export class TooLate extends Error {
  override readonly name = 'TooLate';

  constructor(what: string, options: ErrorOptions) {
    super(`${what} was answered with 410: it is used up or expired`, options);
  }
}

/**
 * Answers that are requests of their own: to the interaction, once, or by the response token, five
 * times within half an hour (contract, "Interactive"; decisions, section 11.4).
 */
export class LateAnswers {
  private isInteractionUsed = false;

  constructor(
    private readonly api: BotApi,
    private readonly happening: Happening,
    private readonly canRespond: boolean,
  ) {}

  /** Whether there is a request that takes this answer. */
  takes(answer: Answer): boolean {
    return this.interaction !== undefined || isForToken(answer);
  }

  /** The interaction was answered another way. */
  interactionTaken(): void {
    this.isInteractionUsed = true;
  }

  /**
   * Sends it. An answer to an interaction that was answered in an earlier life of the bot counts as
   * sent.
   * @param key repeats under it change nothing
   * @throws TooLate, TypeError for an answer that is not possible (any more)
   */
  async send(answer: Answer, key: string): Promise<Receipt> {
    const { interaction, happening, api } = this;
    if (interaction !== undefined && !answer.delete_message) {
      this.isInteractionUsed = true;
      return this.respond(interaction, answer, key);
    }
    const token = happening.payload.response_token;
    if (typeof token !== 'string' || !isForToken(answer)) throw impossible(answer, happening);
    const path = `/api/v1/bot/responses/${token}`;
    const options = { body: answer, idempotencyKey: key };
    return receipt(
      await gone(`the response token of ${happening.key}`, () => api.call('POST', path, options)),
    );
  }

  private async respond(interaction: string, answer: Answer, key: string): Promise<Receipt> {
    const path = `/api/v1/bot/interactions/${interaction}/respond`;
    try {
      // Tieline takes one answer: that makes a repeat harmless, which the key tells the client.
      return receipt(await this.api.call('POST', path, { body: answer, idempotencyKey: key }));
    } catch (error) {
      const status = statusOf(error);
      if (status === 410) return {};
      // What is refused uses nothing up, and what failed may be tried again.
      this.isInteractionUsed = false;
      throw error;
    }
  }

  private get interaction(): string | undefined {
    const { interaction_id: id } = this.happening.payload;
    return this.canRespond && !this.isInteractionUsed && typeof id === 'string' ? id : undefined;
  }
}

const FOR_TOKEN = ['update_message', 'send_message', 'delete_message', 'ephemeral_text', 'choices'] as const;
const isForToken = (answer: Answer): boolean => FOR_TOKEN.some((name) => answer[name] !== undefined);
const statusOf = (error: unknown): unknown => (error as { status?: unknown }).status;

async function gone<T>(what: string, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    throw statusOf(error) === 410 ? new TooLate(what, { cause: error }) : error;
  }
}

function receipt(answer: { message_id?: string } | undefined): Receipt {
  return answer?.message_id === undefined ? {} : { messageId: answer.message_id };
}

function impossible(answer: Answer, { type }: Happening): TypeError {
  const [name] = Object.keys(answer);
  return new TypeError(`${name} can't answer ${type} at this point: it has to be the first answer, in time`);
}
