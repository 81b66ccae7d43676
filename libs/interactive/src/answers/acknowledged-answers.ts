import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { SocketAnswers } from '@tieline/bots';
import { validateJson } from './bot-answer.js';
import { RespondToInteraction } from './respond-to-interaction.js';

/**
 * Applies answers that bots send with the socket acknowledgement of a click or a submitted modal.
 */
@Injectable()
export class AcknowledgedAnswers implements OnModuleInit {
  constructor(
    private readonly respondToInteraction: RespondToInteraction,
    private readonly sockets: SocketAnswers,
  ) {}

  onModuleInit(): void {
    const types = ['button.click', 'select.submit', 'modal.submit'] as const;
    this.sockets.register(types, async (bot, { eventId }, answer) => {
      await this.respondToInteraction.acknowledge(bot, eventId, validateJson(answer));
    });
  }
}
