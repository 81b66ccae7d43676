import { Injectable } from '@nestjs/common';
import { grantFiles } from '@tieline/files';
import { Db } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { InteractionAsker } from '../interactions/interaction-asker.js';
import type { InteractionResult } from '../interactions/interaction-asker.js';
import { modalAwaitsAnswer, modalGone, valuesRefused } from '../interactive.errors.js';
import { checkReferences } from './validated/check-references.js';
import { validateValues } from './validated/validate-values.js';
import type { ValidatedModal } from './validated/modal-definition.js';
import { validatedModalOf, ModalAccess } from './modal-access.js';
import { requireValues } from './modal-values.js';
import { withExactNumbers } from '../schema/exact-json.js';
import { claimModal } from './modals.queries.js';

/** The body of a submission as value and as text. */
export interface SubmittedBody {
  body: Readonly<Record<string, unknown>> | undefined;
  text: string;
}

type Values = Readonly<Record<string, unknown>>;

/** Handles submissions of modals. */
@Injectable()
export class ModalSubmitter {
  constructor(
    private readonly db: Db,
    private readonly access: ModalAccess,
    private readonly asker: InteractionAsker,
  ) {}

  /**
   * Submits a modal. It can be submitted once, unless the bot keeps it open; `values` may be
   * absent. A validated modal is checked against its definition before the bot is called.
   * @throws whatever {@link ModalAccess.requireOpen} throws; 400 invalid values; 503 if the bot
   *   gave no usable answer, and the token can be used again
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
    const claim = await claimModal(this.db, modal, this.asker.leaseMs);
    // Another submission holds the claim.
    if (!claim) throw validated ? modalAwaitsAnswer() : modalGone();
    // The bot may read the files before it answers.
    if (validated) await grantFiles(this.db, modal, filesAmong(validated, values));
    const { id: modalId, chainDepth } = modal;
    const privateMetadata = validated?.privateMetadata;
    const event = { type: 'modal.submit', values, modalId, privateMetadata } as const;
    return this.asker.ask({ context: modal, event, claim, clickId: undefined, modalId, chainDepth });
  }

  private async validate(user: UserPrincipal, validated: ValidatedModal, given: Values): Promise<Values> {
    const { values, errors } = validateValues(validated.fields, given);
    const unknown = await checkReferences(this.db, user, validated.fields, values);
    const all = { ...errors, ...unknown };
    if (Object.keys(all).length > 0) throw valuesRefused(all);
    return values;
  }
}

function filesAmong({ fields }: ValidatedModal, values: Values): string[] {
  return fields
    .filter(({ id, type }) => type === 'file' && Object.hasOwn(values, id))
    .map(({ id }) => String(values[id]));
}
