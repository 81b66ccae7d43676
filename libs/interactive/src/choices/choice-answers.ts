import { Injectable } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Bus, RowWaits } from '@tieline/live';
import { Db } from '@tieline/platform/database';
import type { Choice } from './choice.view.js';
import { findChoices } from './option-requests.queries.js';

/** A registered wait for an answer. Register before sending the request to the bot. */
export interface ChoiceWaiter {
  /** @returns undefined if no answer arrived within `ms` milliseconds */
  wait(ms: number): Promise<Choice[] | undefined>;
  leave(): void;
}

/** Passes answers of polling bots to the requests that wait for them, in any process. */
@Injectable()
export class ChoiceAnswers implements OnModuleInit, OnModuleDestroy {
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

  enter(spaceId: string, id: string): ChoiceWaiter {
    const { find, leave } = this.waits.enter(id);
    return { wait: (ms) => find(ms, () => findChoices(this.db, { spaceId, id })), leave };
  }
}
