import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { AnswerWaits, SocketAnswers } from '@tieline/bots';
import { CreateMessage, LiveEvents } from '@tieline/conversations';
import type { LiveEvent } from '@tieline/conversations';
import { CommandModals, ComponentSigner, ephemeralEvent } from '@tieline/interactive';
import { Db } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { commandAnswerInvalid } from '../../slash.errors.js';
import type { InvocationPayload } from '../../triggers/slash-triggers.js';
import { readCommandAnswer } from './callback-answer.js';
import type { AcknowledgedAnswer } from './invocation-result.js';
import { openCommandModal } from './open-command-modal.js';
import type { OpenedModal } from './open-command-modal.js';
import { resultFields, settleAnswer } from './settle-answer.js';
import type { SettledTrigger, SyncText } from './settle-answer.js';

/** An invocation that is answered by an acknowledgement. */
interface AcknowledgedInvocation {
  botId: string;
  payload: InvocationPayload;
  /**
   * Whether a request was waiting for the answer. If not, the person gets the answer on the stream.
   */
  isWaiterNotified: boolean;
}

/**
 * Applies answers that bots send with the acknowledgement of a command, like the answers of a
 * callback.
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
      this.applyAnswer(
        { botId, payload: JSON.parse(payload) as InvocationPayload, isWaiterNotified: false },
        answer,
      ),
    );
  }

  private async applyAnswer(
    invocation: AcknowledgedInvocation,
    given: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const answer = readCommandAnswer(given);
    if (!answer) throw commandAnswerInvalid();
    if (answer.kind === 'text') await this.settle(invocation, answer);
    else if (answer.kind === 'modal') await this.openModal(invocation, answer.modal);
    else await this.waits.settleLater(awaited(invocation));
    this.waits.announce(invocation.payload.trigger_id);
  }

  private async settle(invocation: AcknowledgedInvocation, answer: SyncText): Promise<void> {
    const { createMessage, signer } = this;
    const { space_id: spaceId, trigger_id: triggerId, user_id: userId } = invocation.payload;
    const { responseType: result, text } = answer;
    const notify = (tx: Tx, settled: SettledTrigger): Promise<void> =>
      this.notify(tx, invocation, {
        ...{ result, text },
        ...resultFields(settled),
      });
    const settled = await settleAnswer(
      this.db,
      { createMessage, signer, notify },
      { spaceId, triggerId, userId },
      answer,
    );
    // The bot has already used the trigger or has been disabled, so nothing was done.
    if (settled.kind === 'late' || settled.kind === 'gone') await this.waits.settleLater(awaited(invocation));
    if (settled.kind === 'shown' && !invocation.isWaiterNotified)
      this.show(
        invocation,
        settled.message
          ? ephemeralEvent(settled.message)
          : { event: 'ephemeral', ...about(invocation), text },
      );
  }

  private async openModal(invocation: AcknowledgedInvocation, modal: OpenedModal['modal']): Promise<void> {
    const { botId, payload } = invocation;
    const command = { botId, id: payload.command_id };
    const opened = await openCommandModal(this.db, this.modals, { command, payload }, modal, (tx, one) =>
      this.notify(tx, invocation, { result: 'open_modal', opened: one }),
    );
    if (!opened || invocation.isWaiterNotified) return;
    const shown = { action_id: payload.command, modal: opened.modal, modal_token: opened.modalToken };
    this.show(invocation, { event: 'modal.open', ...about(invocation), ...shown });
  }

  private async notify(
    tx: Tx,
    invocation: AcknowledgedInvocation,
    result: AcknowledgedAnswer,
  ): Promise<void> {
    invocation.isWaiterNotified = await this.waits.settle(tx, awaited(invocation), {
      kind: 'answered',
      result,
    });
  }

  private show({ payload }: AcknowledgedInvocation, event: LiveEvent): void {
    this.live.toPerson(payload.space_id, payload.user_id, event);
  }
}

function awaited({ payload }: AcknowledgedInvocation): { spaceId: string; id: string } {
  return { spaceId: payload.space_id, id: payload.trigger_id };
}

function about({ botId, payload }: AcknowledgedInvocation): { conversation_id: string; bot_id: string } {
  return { conversation_id: payload.conversation_id, bot_id: botId };
}
