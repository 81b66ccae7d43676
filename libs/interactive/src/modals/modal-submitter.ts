import { Injectable } from '@nestjs/common';
import { grantFiles } from '@tieline/files';
import { Db } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { InteractionDeliverer } from '../delivery/interaction-deliverer.js';
import type { Claim, InteractionResult } from '../delivery/interaction-deliverer.js';
import { modalAwaitsAnswer, modalGone, valuesRefused } from '../interactive.errors.js';
import { InteractiveSettings } from '../interactive.settings.js';
import { checkReferences } from './validated/check-references.js';
import { validateValues } from './validated/validate-values.js';
import type { ValidatedModal } from './validated/modal-definition.js';
import { validatedModalOf, ModalAccess } from './modal-access.js';
import { requireValues } from './modal-values.js';
import { withExactNumbers } from '../schema/exact-json.js';
import { claimModal } from './modals.queries.js';
import type { ModalClaim } from './modals.queries.js';
import { isSettled, releaseModal, settleClaimed } from './settle-submission.js';

/** The body of a submission, and the text that it was read from. */
export interface SubmittedBody {
  body: Readonly<Record<string, unknown>> | undefined;
  text: string;
}

type Values = Readonly<Record<string, unknown>>;

/** Carries out submissions of modals (contract, Interactive; decisions, sections 5, 8 and 11.6). */
@Injectable()
export class ModalSubmitter {
  constructor(
    private readonly db: Db,
    private readonly access: ModalAccess,
    private readonly deliverer: InteractionDeliverer,
    private readonly settings: InteractiveSettings,
  ) {}

  /**
   * The one submission of a modal, unless the bot keeps it open; `values` may be left out. A validated
   * modal is held to its definition, before the bot is asked.
   * @throws what {@link ModalAccess.requireOpen} throws; 400 values; 503 when the bot gave no
   * usable answer: the token may then be used again
   */
  async submit(
    user: UserPrincipal,
    modalToken: string,
    { body, text }: SubmittedBody,
  ): Promise<InteractionResult> {
    const modal = await this.access.requireOpen(user, modalToken);
    const validated = validatedModalOf(modal);
    const given = requireValues(body?.values);
    const values = validated
      ? await this.validate(user, validated, given)
      : (withExactNumbers({ values: given }, text).values as Values);
    const claimed = await claimModal(this.db, modal, this.deliverer.leaseMs);
    // Lost to a concurrent submission.
    if (!claimed) throw validated ? modalAwaitsAnswer() : modalGone();
    // The bot may want to see the files before it answers.
    if (validated) await grantFiles(this.db, modal, filesAmong(validated, values));
    const event = { type: 'modal.submit', values, privateMetadata: validated?.privateMetadata } as const;
    const { id: modalId, chainDepth } = modal;
    return this.deliverer.deliver(
      { context: modal, event, clickId: undefined, modalId, chainDepth },
      this.claimOf(claimed),
    );
  }

  private async validate(user: UserPrincipal, validated: ValidatedModal, given: Values): Promise<Values> {
    const { values, errors } = validateValues(validated.fields, given);
    const unknown = await checkReferences(this.db, user, validated.fields, values);
    const all = { ...errors, ...unknown };
    if (Object.keys(all).length > 0) throw valuesRefused(all);
    return values;
  }

  private claimOf(claimed: ModalClaim): Claim {
    const { pollInteractionTtlSeconds } = this.settings;
    return {
      occurredAt: claimed.occurredAt,
      accept: (tx, result) => settleClaimed(tx, claimed, result, pollInteractionTtlSeconds),
      isAccepted: (tx) => isSettled(tx, claimed),
      release: () => releaseModal(this.db, claimed),
    };
  }
}

function filesAmong({ fields }: ValidatedModal, values: Values): string[] {
  return fields
    .filter(({ id, type }) => type === 'file' && Object.hasOwn(values, id))
    .map(({ id }) => String(values[id]));
}
