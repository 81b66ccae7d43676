import { Injectable } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import type { AwaitedAnswers } from '@tieline/ask-bot';
import type { Outcome } from '@tieline/bots';
import { Bus, RowWaits } from '@tieline/live';
import { Db } from '@tieline/platform/database';
import type { Choice } from './choice.view.js';
import { findChoices } from './option-requests.queries.js';

/** How long the person's request waits in total. */
const WAIT_MS = 3_000;

/** Passes answers of polling bots to the requests that wait for them, in any process. */
@Injectable()
export class ChoiceAnswers implements AwaitedAnswers<Choice[]>, OnModuleInit, OnModuleDestroy {
  private readonly waits: RowWaits;

  constructor(
    private readonly db: Db,
    bus: Bus,
  ) {
    this.waits = new RowWaits(bus, 'choices');
  }

  onModuleInit(): void {
    this.waits.listen();
  }

  onModuleDestroy(): void {
    this.waits.close();
  }

  /** Call it after the commit. */
  announce(id: string): void {
    this.waits.announce(id);
  }

  /** Waits for an answer with or without a socket. Call it after the commit. */
  async outcome(request: { spaceId: string; id: string }): Promise<Outcome<Choice[]>> {
    const result = await this.waits.find(request.id, WAIT_MS, () => findChoices(this.db, request));
    return result ? { kind: 'answered', result } : { kind: 'later' };
  }
}
