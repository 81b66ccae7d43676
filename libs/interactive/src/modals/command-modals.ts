import { Injectable, Module } from '@nestjs/common';
import type { Tx } from '@tieline/platform/database';
import type { InteractionContext } from '../interactions/interaction-context.js';
import { InteractiveSettings } from '../interactive.settings.js';
import { ModalDefinition } from './validated/modal-definition.js';
import { ModalTokens } from './modal-tokens.js';
import { insertModal } from './modals.queries.js';
import type { OpenedModal } from './modals.queries.js';

/** A command that opens a modal. Its name is the action id. */
export interface OpeningCommand extends Omit<InteractionContext, 'messageId'> {
  triggerId: string;
  commandId: string;
}

/** Opens the modals that answer slash commands. */
@Injectable()
export class CommandModals {
  constructor(
    private readonly tokens: ModalTokens,
    private readonly settings: InteractiveSettings,
  ) {}

  /** @throws 400 if the modal asks for validation and is invalid */
  async open(tx: Tx, command: OpeningCommand, modal: OpenedModal['modal']): Promise<OpenedModal> {
    const definition = ModalDefinition.read(modal, 'open_modal');
    const context = { ...command, messageId: null };
    const ttlSeconds = this.settings.modalTokenTtlSeconds;
    return insertModal(tx, this.tokens, {
      context,
      definition,
      chainDepth: 1,
      clickId: undefined,
      ttlSeconds,
    });
  }
}

@Module({ providers: [CommandModals, ModalTokens, InteractiveSettings], exports: [CommandModals] })
export class CommandModalsModule {}
