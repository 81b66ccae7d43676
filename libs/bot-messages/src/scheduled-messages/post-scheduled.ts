import { Injectable } from '@nestjs/common';
import { BotDirectory, chatErrors, CreateMessage } from '@tieline/conversations';
import { ComponentSigner, parseMetadata } from '@tieline/interactive';
import { Db } from '@tieline/platform/database';
import type { RowOf, Tx } from '@tieline/platform/database';
import { ApiError } from '@tieline/platform/http';
import { carryOutDueRows } from '@tieline/queue';
import {
  CLAIM_SCHEDULED,
  DELETE_SCHEDULED,
  FAIL_SCHEDULED,
  FIND_NEXT_SCHEDULED,
  POSTPONE_SCHEDULED,
} from './scheduled-messages.statements.js';

type DueMessage = RowOf<typeof CLAIM_SCHEDULED>;

/** Retry interval for inactive spaces. */
const INACTIVE_SPACE_S = 60;
const FIRST_BACKOFF_S = 5;
const MAX_BACKOFF_S = 3600;

/** Posts scheduled messages. */
@Injectable()
export class PostScheduled {
  constructor(
    private readonly db: Db,
    private readonly bots: BotDirectory,
    private readonly createMessage: CreateMessage,
    private readonly signer: ComponentSigner,
  ) {}

  /**
   * Posts every due message and deletes failed ones a week later. A message that fails for a
   * reason of our own is retried later and delays no other.
   * @returns the errors of those
   */
  run(signal?: AbortSignal): Promise<unknown[]> {
    return carryOutDueRows<DueMessage>(
      this.db,
      {
        claim: async (tx) => (await tx.query(CLAIM_SCHEDULED))[0],
        carryOut: (tx, row) => this.settle(tx, row),
        postpone: async (db, row) => {
          const seconds = Math.min(FIRST_BACKOFF_S * 2 ** row.attempts, MAX_BACKOFF_S);
          await db.query(POSTPONE_SCHEDULED, [row.spaceId, row.id, seconds]);
        },
      },
      signal,
    );
  }

  /** Returns the next time at which there is something to do. */
  async nextAt(): Promise<Date | undefined> {
    const [row] = await this.db.query(FIND_NEXT_SCHEDULED);
    return row?.at ?? undefined;
  }

  private async settle(tx: Tx, row: DueMessage): Promise<void> {
    const { spaceId, id, errorCode, spaceIsActive } = row;
    if (errorCode === null && !spaceIsActive) {
      await tx.query(POSTPONE_SCHEDULED, [spaceId, id, INACTIVE_SPACE_S]);
      return;
    }
    const failure = errorCode === null ? await this.post(tx, row) : undefined;
    if (failure === undefined) await tx.query(DELETE_SCHEDULED, [spaceId, id]);
    else await tx.query(FAIL_SCHEDULED, [spaceId, id, failure]);
  }

  /** @returns the code of the error if the message cannot be posted */
  private async post(tx: Tx, row: DueMessage): Promise<string | undefined> {
    const { spaceId, botId, conversationId, content } = row;
    if ((await this.bots.findActive(tx, spaceId, [botId])).length === 0) return 'bot_inactive';
    const metadataJson = await this.signed(tx, row);
    if (typeof metadataJson === 'object') return metadataJson.code;
    const created = await this.createMessage.in(tx, {
      ...{ spaceId, conversationId, text: content, metadataJson },
      author: { id: botId, type: 'bot' },
      parentMessageId: row.parentMessageId ?? undefined,
      displayName: row.displayName ?? undefined,
      displayAvatarUrl: row.displayAvatarUrl ?? undefined,
      ...(row.sourceJson !== null && { sourceJson: row.sourceJson }),
      ...(row.textDerived === true && { textDerived: true }),
    });
    return 'refused' in created ? chatErrors.botRefused(created.refused).code : undefined;
  }

  /** Returns the metadata to store, or the error if its buttons cannot be delivered to the bot. */
  private async signed(
    tx: Tx,
    { spaceId, botId, metadataJson }: DueMessage,
  ): Promise<string | undefined | ApiError> {
    const metadata = parseMetadata(metadataJson);
    if (!metadata) return undefined;
    try {
      return await this.signer.sign(tx, { spaceId, botId }, metadata);
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) return error;
      throw error;
    }
  }
}
