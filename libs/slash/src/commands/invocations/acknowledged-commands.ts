import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { AnswerWaits, SocketAnswers } from '@tieline/bots';
import { LiveEvents } from '@tieline/live-stream';
import type { LiveEvent } from '@tieline/live-stream';
import { ephemeralEvent } from '@tieline/interactive';
import type { InvocationPayload } from '../../triggers/slash-triggers.js';
import { readCommandAnswer } from './callback-answer.js';
import { CommandAnswers } from './command-answers.js';
import type { AskedCommand } from './command-answers.js';
import type { CommandResult } from './invocation-result.js';

/** Takes the answers that bots send with the acknowledgement of a command. */
@Injectable()
export class AcknowledgedCommands implements OnModuleInit {
  constructor(
    private readonly answers: CommandAnswers,
    private readonly live: LiveEvents,
    private readonly sockets: SocketAnswers,
    private readonly waits: AnswerWaits,
  ) {}

  onModuleInit(): void {
    this.sockets.register(['slash.command'], ({ botId }, { payload }, answer) =>
      this.apply({ botId, payload: JSON.parse(payload) as InvocationPayload }, answer),
    );
  }

  private async apply(asked: AskedCommand, given: Readonly<Record<string, unknown>>): Promise<void> {
    const { space_id: spaceId, user_id: userId, trigger_id: id } = asked.payload;
    const applied = await this.answers.apply(asked, readCommandAnswer(given), this.waits);
    if (applied.kind !== 'answered') return this.waits.settleLater({ spaceId, id });
    this.waits.announce(id);
    const event = applied.isWaiterNotified ? undefined : eventOf(asked, applied.result);
    if (event) this.live.toPerson(spaceId, userId, event);
  }
}

/** Returns the stream event that shows a result for which no request waits. */
function eventOf({ botId, payload }: AskedCommand, applied: CommandResult): LiveEvent | undefined {
  const about = { conversation_id: payload.conversation_id, bot_id: botId };
  switch (applied.result) {
    case 'in_channel':
      return undefined;
    case 'ephemeral':
      return applied.shown
        ? ephemeralEvent(applied.shown)
        : { event: 'ephemeral', ...about, text: applied.text };
    case 'open_modal': {
      const { modal, modalToken: modal_token } = applied.opened;
      return { event: 'modal.open', ...about, action_id: payload.command, modal, modal_token };
    }
  }
}
