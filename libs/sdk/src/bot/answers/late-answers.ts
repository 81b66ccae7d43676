import type { Activity } from '../activity.js';
import type { Answer } from './answer.js';
import type { BotApi } from '../bot-api.js';

/** Result of an answer. */
export interface Receipt {
  /**
   * Id of the posted message. Absent for answers sent with the acknowledgement or the response to a
   * callback.
   */
  messageId?: string;
}

/** The token or interaction has been used up or has expired. Retrying does not help. */
export class TooLate extends Error {
  override readonly name = 'TooLate';

  constructor(what: string, options: ErrorOptions) {
    super(`${what} has been used up or has expired (410)`, options);
  }
}

/**
 * Sends answers as separate requests: one to the interaction, and up to five within half an hour
 * with the response token.
 */
export class LateAnswers {
  private isInteractionUsed = false;

  constructor(
    private readonly api: BotApi,
    private readonly activity: Activity,
    private readonly canRespond: boolean,
  ) {}

  /** Whether this answer can be sent as a separate request. */
  accepts(answer: Answer): boolean {
    return this.interaction !== undefined || isForToken(answer);
  }

  /** Records that the interaction was answered another way. */
  markInteractionUsed(): void {
    this.isInteractionUsed = true;
  }

  /**
   * Sends an answer. If the interaction was already answered before a restart of the bot, the
   * answer counts as sent.
   * @param key idempotency key
   * @throws TooLate
   * @throws TypeError for an answer that is not possible or no longer possible
   */
  async send(answer: Answer, key: string): Promise<Receipt> {
    const { interaction, activity, api } = this;
    if (interaction !== undefined && !answer.delete_message) {
      this.isInteractionUsed = true;
      return this.respond(interaction, answer, key);
    }
    const token = activity.payload.response_token;
    if (typeof token !== 'string' || !isForToken(answer)) throw impossible(answer, activity);
    const path = `/api/v1/bot/responses/${token}`;
    const options = { body: answer, idempotencyKey: key };
    return receipt(
      await gone(`the response token of ${activity.key}`, () => api.call('POST', path, options)),
    );
  }

  private async respond(interaction: string, answer: Answer, key: string): Promise<Receipt> {
    const path = `/api/v1/bot/interactions/${interaction}/respond`;
    try {
      // Tieline accepts only one answer, so a repeat is harmless. The key lets the client retry.
      return receipt(await this.api.call('POST', path, { body: answer, idempotencyKey: key }));
    } catch (error) {
      const status = statusOf(error);
      if (status === 410) return {};
      // A rejected or failed request does not use up the interaction.
      this.isInteractionUsed = false;
      throw error;
    }
  }

  private get interaction(): string | undefined {
    const { interaction_id: id } = this.activity.payload;
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

function impossible(answer: Answer, { type }: Activity): TypeError {
  const [name] = Object.keys(answer);
  return new TypeError(
    `${name} can't answer ${type} at this point: it must be the first answer, within the time limit`,
  );
}
