import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { AnswerWaits, SocketAnswers } from '@tieline/bots';
import { LiveEvents } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { showEphemeral } from '../ephemeral/ephemeral-message.js';
import { InteractiveSettings } from '../interactive.settings.js';
import { AnswerApplier } from './answer-applier.js';
import type { Effect } from './answer-applier.js';
import { validateJson } from './bot-answer.js';
import { respondToInteraction } from './respond-to-interaction.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Applies answers that bots send with the socket acknowledgement of a click or a submitted modal.
 */
@Injectable()
export class AcknowledgedAnswers implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly settings: InteractiveSettings,
    private readonly applier: AnswerApplier,
    private readonly live: LiveEvents,
    private readonly sockets: SocketAnswers,
    private readonly waits: AnswerWaits,
  ) {}

  onModuleInit(): void {
    this.sockets.register(['button.click', 'select.submit', 'modal.submit'], (bot, { eventId }, answer) =>
      this.respond(bot, eventId, answer),
    );
  }

  /**
   * Handles the answer like `respond`. A waiting person gets the effect in the response, not on the
   * stream.
   */
  private async respond(bot: BotPrincipal, id: string, answer: Fields): Promise<void> {
    const settle = (tx: Tx, result: Effect): Promise<boolean> =>
      this.waits.settle(tx, { spaceId: bot.spaceId, id }, { kind: 'answered', result });
    const parts = { applier: this.applier, maxChainDepth: this.settings.modalChainMaxDepth, settle };
    const { live, shown } = await respondToInteraction(this.db, parts, bot, id, validateJson(answer));
    this.waits.announce(id);
    if (live) this.live.toPerson(live.spaceId, live.userId, live.event);
    if (shown) showEphemeral(this.live, shown);
  }
}
