import { Injectable } from '@nestjs/common';
import { APPROVAL_LOCKS } from '@tieline/background';
import { chatAccess, chatErrors, CreateMessage } from '@tieline/conversations';
import type { MessageNotice } from '@tieline/conversations';
import { fingerprint } from '@tieline/idempotency';
import { Db, runRepeatable, together } from '@tieline/platform/database';
import type { Queryable, Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { findActiveUsers, findSpace } from '@tieline/spaces';
import type { ActingBot } from '@tieline/spaces';
import { uuidv7 } from 'uuidv7';
import type { Approval, NewApproval } from '../approval.js';
import { findByExternalId } from '../approval.queries.js';
import {
  approverNotFound,
  externalIdReused,
  requesterNotFound,
  runNotFound,
  taskNotFound,
  tooManyPending,
} from '../approvals.errors.js';
import { FIND_APPROVAL } from '../approvals.statements.js';
import { toolArguments } from '../arguments/tool-arguments.js';
import type { ToolArguments } from '../arguments/tool-arguments.js';
import { cardMetadata, cardText } from '../card/card.js';
import { noticeOf } from '../card/card-notice.js';
import { ChangeApproval, recordApproval } from '../endings/change-approval.js';
import { appendShown } from '../events/announce-approvals.js';
import { appendApprovalEvent, lockOccurrence } from '../events/approval-events.js';
import { decisionByRule, findRule } from '../rules/approval-rules.js';
import { decide } from '../states/approval.states.js';
import { COUNT_PENDING, FIND_WORK, INSERT_APPROVAL, LOCK_CREATIONS } from './creation.statements.js';

/** Maximum number of pending approvals of one bot. */
const MAX_PENDING = 1000;

/** The approval, and whether an earlier request created it. */
export interface CreatedApproval {
  approval: Approval;
  isRepeat: boolean;
}

/** Values of a new approval that stay the same over all attempts. */
interface ApprovalDraft {
  id: string;
  messageId: string;
  /** Whether its notifications pass do-not-disturb. */
  isUrgent: boolean;
}

/** Creates approvals. */
@Injectable()
export class CreateApproval {
  constructor(
    private readonly db: Db,
    private readonly createMessage: CreateMessage,
    private readonly changeApproval: ChangeApproval,
  ) {}

  /**
   * Creates an approval and posts its card, or returns the approval created with the same
   * external_id and body: docs/approvals.md#create-an-approval. An approval that matches a rule is
   * approved immediately.
   *
   * @throws 400 unknown people, parent, run or task. 403 not a member or archived. 409 the
   * external_id was used for another body, or too many approvals are pending.
   */
  async run(bot: ActingBot, request: NewApproval): Promise<CreatedApproval> {
    const isUrgent = request.urgent && (await findSpace(this.db, bot.spaceId)).urgentApprovals;
    const draft = { id: uuidv7(), messageId: uuidv7(), isUrgent };
    const created = await runRepeatable(
      this.db,
      async (tx, isRetry) => {
        // Created by an earlier attempt whose COMMIT was not confirmed.
        const [mine] = isRetry ? await tx.query(FIND_APPROVAL, [bot.spaceId, draft.id]) : [];
        return mine ? { approval: mine, isRepeat: false } : this.create(tx, bot, request, draft);
      },
      { spaceId: bot.spaceId, place: request.parentMessageId ?? request.conversationId },
    );
    return created;
  }

  private async create(
    tx: Tx,
    bot: ActingBot,
    request: NewApproval,
    draft: ApprovalDraft,
  ): Promise<CreatedApproval> {
    const { spaceId, botId } = bot;
    const { conversationId } = request;
    const [repeated, access] = await together(
      findRepeat(tx, bot, request),
      chatAccess.sending(tx, { spaceId, conversationId, author: { id: botId } }),
    );
    if (repeated) return repeated;
    if (access.refused !== undefined) throw chatErrors.botRefused(access.refused);
    const { channelId } = access.conversation;
    const given = request.arguments && toolArguments(request.arguments);
    // One round trip under the lock of `requireRoom`. A refusal rolls the insertion back.
    const [, , , approval, rule] = await together(
      requirePeople(tx, spaceId, request),
      requireWork(tx, bot, request),
      requireRoom(tx, bot),
      insert(tx, bot, request, { ...draft, channelId, given }),
      findRule(tx, { ...request, spaceId, botId, channelId, argumentsSha256: given?.sha256 ?? null }),
    );
    if (!approval) {
      const repeat = await findRepeat(tx, bot, request);
      if (!repeat) throw new Error('an approval created by another transaction is not visible');
      return repeat;
    }
    const notice = rule ? undefined : noticeOf(approval, draft.isUrgent);
    await this.postCard(tx, approval, request.parentMessageId, notice);
    const occurrence = await lockOccurrence(tx, approval, { id: botId, type: 'bot' });
    const record = { action: 'approval.requested', origin: bot.origin } as const;
    await together(
      appendApprovalEvent(tx, 'APPROVAL_REQUESTED', approval, occurrence),
      appendShown(tx, 'approval.created', approval),
      recordApproval(tx, record, { before: null, after: approval }),
    );
    if (!rule) return { approval, isRepeat: false };
    const decision = decisionByRule(approval, rule);
    const outcome = decide(approval, decision, false);
    if (outcome.kind !== 'changed') throw new Error('a new approval cannot be decided');
    const approved = await this.changeApproval.in(tx, approval, {
      to: outcome.to,
      action: 'approval.rule_used',
      actor: { id: decision.user_id, type: 'user' },
      origin: bot.origin,
      ruleId: rule.id,
    });
    return { approval: approved, isRepeat: false };
  }

  private async postCard(
    tx: Tx,
    approval: Approval,
    parentMessageId: string | null,
    notify: MessageNotice | undefined,
  ): Promise<void> {
    const posted = await this.createMessage.in(tx, {
      spaceId: approval.spaceId,
      conversationId: approval.conversationId,
      author: { id: approval.botId, type: 'bot' },
      text: cardText(approval),
      metadataJson: cardMetadata(approval),
      messageId: approval.messageId,
      ...(parentMessageId !== null && { parentMessageId }),
      ...(notify && { notify }),
    });
    if ('refused' in posted) throw chatErrors.botRefused(posted.refused);
  }
}

/**
 * Returns the approval created by the same request before.
 *
 * @throws 409 if the external_id was used with another body
 */
export async function findRepeat(
  q: Queryable,
  bot: BotPrincipal,
  request: NewApproval,
): Promise<CreatedApproval | undefined> {
  if (request.externalId === null) return undefined;
  const approval = await findByExternalId(q, bot, request.externalId);
  if (!approval) return undefined;
  if (!approval.fingerprint.equals(fingerprint(request))) throw externalIdReused();
  return { approval, isRepeat: true };
}

async function requirePeople(
  tx: Tx,
  spaceId: string,
  { approverIds, requestedBy }: NewApproval,
): Promise<void> {
  const named = [...approverIds, ...(requestedBy === null ? [] : [requestedBy])];
  const active = new Set(await findActiveUsers(tx, spaceId, named));
  if (!approverIds.every((id) => active.has(id))) throw approverNotFound();
  if (requestedBy !== null && !active.has(requestedBy)) throw requesterNotFound();
}

async function requireWork(
  tx: Tx,
  { spaceId, botId }: BotPrincipal,
  { agentRunId, executionTaskId }: NewApproval,
): Promise<void> {
  if (agentRunId === null && executionTaskId === null) return;
  const [work] = await tx.query(FIND_WORK, { spaceId, botId, agentRunId, executionTaskId });
  if (agentRunId !== null && !work?.hasRun) throw runNotFound();
  if (executionTaskId !== null && !work?.hasTask) throw taskNotFound();
}

/** Serializes creations of the bot until the end of the transaction. */
async function requireRoom(tx: Tx, { spaceId, botId }: BotPrincipal): Promise<void> {
  const [, [counted]] = await together(
    tx.query(LOCK_CREATIONS, [APPROVAL_LOCKS, botId]),
    tx.query(COUNT_PENDING, [spaceId, botId, MAX_PENDING]),
  );
  if (counted && counted.pending >= MAX_PENDING) throw tooManyPending();
}

/**
 * Returns undefined if the external_id is taken. Waits for a concurrent transaction that takes it.
 */
async function insert(
  tx: Tx,
  { spaceId, botId }: BotPrincipal,
  request: NewApproval,
  { id, messageId, channelId, given }: ApprovalDraft & { channelId: string; given: ToolArguments | null },
): Promise<Approval | undefined> {
  const [approval] = await tx.query(INSERT_APPROVAL, {
    ...request,
    ...{ spaceId, botId, id, messageId, channelId },
    fingerprint: fingerprint(request),
    arguments: given?.json ?? null,
    argumentsSha256: given?.sha256 ?? null,
    options: JSON.stringify(request.options),
    form: request.form && JSON.stringify(request.form),
  });
  return approval;
}
