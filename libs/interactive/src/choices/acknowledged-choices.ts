import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { SocketAnswers } from '@tieline/bots';
import { Db } from '@tieline/platform/database';
import { validateJson } from '../answers/bot-answer.js';
import { ChoiceAnswers } from './choice-answers.js';
import { readChoices } from './dto/choices.dto.js';
import { answerOptionRequest, failOptionRequest } from './option-requests.queries.js';

/** Takes suggestions that bots send with the socket acknowledgement of a request for options. */
@Injectable()
export class AcknowledgedChoices implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly sockets: SocketAnswers,
    private readonly answers: ChoiceAnswers,
  ) {}

  onModuleInit(): void {
    this.sockets.register(
      ['command.options', 'modal.options'],
      async ({ spaceId }, { eventId: id }, answer) => {
        await answerOptionRequest(this.db, spaceId, id, readChoices(validateJson(answer)));
        this.answers.announce(id);
      },
      async ({ spaceId, id }) => {
        await failOptionRequest(this.db, spaceId, id);
        this.answers.announce(id);
      },
    );
  }
}
