import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { AnswerWaits, SocketAnswers } from '@tieline/bots';
import { CreateMessage, LiveEvents } from '@tieline/conversations';
import type { LiveEvent } from '@tieline/conversations';
import { CommandModals, ComponentSigner, ephemeralEvent } from '@tieline/interactive';
import { Db } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { commandAnswerMalformed } from '../../slash.errors.js';
import type { InvocationPayload } from '../../triggers/slash-triggers.js';
import { readCommandAnswer } from './callback-answer.js';
import type { AcknowledgedAnswer } from './invocation-result.js';
import { openCommandModal } from './open-command-modal.js';
import type { Opened } from './open-command-modal.js';
import { madeBy, settleAnswer } from './settle-answer.js';
import type { Settled, SyncText } from './settle-answer.js';

/** An invocation that is answered by an acknowledgement. */
interface Answering {
  botId: string;
  payload: InvocationPayload;
  /** Whether somebody waited for the answer: else the person is told by stream. */
  isTold: boolean;
}

/**
 * Answers that bots give with the acknowledgement of a command (decisions, section 11.7): as their
 * callback would.
 */
@Injectable()
export class AcknowledgedCommands implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly createMessage: CreateMessage,
    private readonly signer: ComponentSigner,
    private readonly modals: CommandModals,
    private readonly live: LiveEvents,
    private readonly sockets: SocketAnswers,
    private readonly waits: AnswerWaits,
  ) {}

  onModuleInit(): void {
    this.sockets.register(['slash.command'], ({ botId }, { payload }, answer) =>
      this.take({ botId, payload: JSON.parse(payload) as InvocationPayload, isTold: false }, answer),
    );
  }

  private async take(answering: Answering, given: Readonly<Record<string, unknown>>): Promise<void> {
    const answer = readCommandAnswer(given);
    if (!answer) throw commandAnswerMalformed();
    if (answer.kind === 'text') await this.settle(answering, answer);
    else if (answer.kind === 'modal') await this.open(answering, answer.modal);
    else await this.waits.settleLater(awaited(answering));
    this.waits.announce(answering.payload.trigger_id);
  }

  private async settle(answering: Answering, answer: SyncText): Promise<void> {
    const { createMessage, signer } = this;
    const { space_id: spaceId, trigger_id: triggerId, user_id: userId } = answering.payload;
    const { responseType: result, text } = answer;
    const tell = (tx: Tx, settled: Settled): Promise<void> =>
      this.tell(tx, answering, {
        ...{ result, text },
        ...madeBy(settled),
      });
    const settled = await settleAnswer(
      this.db,
      { createMessage, signer, tell },
      { spaceId, triggerId, userId },
      answer,
    );
    // The bot has used the trigger already, or is switched off: nothing was done.
    if (settled.kind === 'late' || settled.kind === 'gone') await this.waits.settleLater(awaited(answering));
    if (settled.kind === 'shown' && !answering.isTold)
      this.show(
        answering,
        settled.message ? ephemeralEvent(settled.message) : { event: 'ephemeral', ...about(answering), text },
      );
  }

  private async open(answering: Answering, modal: Opened['modal']): Promise<void> {
    const { botId, payload } = answering;
    const command = { botId, id: payload.command_id };
    const opened = await openCommandModal(this.db, this.modals, { command, payload }, modal, (tx, one) =>
      this.tell(tx, answering, { result: 'open_modal', opened: one }),
    );
    if (!opened || answering.isTold) return;
    const shown = { action_id: payload.command, modal: opened.modal, modal_token: opened.modalToken };
    this.show(answering, { event: 'modal.open', ...about(answering), ...shown });
  }

  private async tell(tx: Tx, answering: Answering, result: AcknowledgedAnswer): Promise<void> {
    answering.isTold = await this.waits.settle(tx, awaited(answering), { kind: 'answered', result });
  }

  private show({ payload }: Answering, event: LiveEvent): void {
    this.live.toPerson(payload.space_id, payload.user_id, event);
  }
}

function awaited({ payload }: Answering): { spaceId: string; id: string } {
  return { spaceId: payload.space_id, id: payload.trigger_id };
}

function about({ botId, payload }: Answering): { conversation_id: string; bot_id: string } {
  return { conversation_id: payload.conversation_id, bot_id: botId };
}
