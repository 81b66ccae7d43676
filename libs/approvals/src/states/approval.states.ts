/** States of an approval. All but `pending` are final. */
export const APPROVAL_STATES = ['pending', 'approved', 'denied', 'answered', 'expired', 'cancelled'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** What choosing an option means. */
export const OPTION_KINDS = ['approve', 'approve_always', 'deny', 'answer'] as const;
export type OptionKind = (typeof OPTION_KINDS)[number];

/** A choice of a person, in the stored and shown form. */
export interface ApprovalOption {
  id: string;
  label: string;
  style?: string;
  kind: OptionKind;
}

/** What happens when an approval expires. */
export const ON_EXPIRY = ['expire', 'deny'] as const;
export type OnExpiry = (typeof ON_EXPIRY)[number];

/** How a decision was made: by a person, or by a rule that an admin had created. */
export const VIAS = ['person', 'rule'] as const;
export type Via = (typeof VIAS)[number];

/** A decision of one person, in the stored and shown form. */
export interface Decision {
  user_id: string;
  option_id: string;
  kind: OptionKind;
  comment?: string;
  /** Values of the form, by field id. */
  values?: Readonly<Record<string, unknown>>;
  /** RFC 3339, UTC. */
  at: string;
  via: Via;
}

/** The result of a decided approval, in the stored and shown form. */
export interface ApprovalResult {
  option_id: string;
  kind: OptionKind;
  comment?: string;
  values?: Readonly<Record<string, unknown>>;
  /** The people whose decisions led to the result. Empty if the approval was denied by expiry. */
  decided_by: string[];
  /** RFC 3339, UTC. */
  decided_at: string;
}

/** The part of an approval that transitions depend on. */
export interface Standing {
  state: ApprovalState;
  /** Number of people who must approve. */
  count: number;
  decisions: readonly Decision[];
}

/** The part of an approval that a transition changes. */
export interface Transition {
  state: ApprovalState;
  decisions: readonly Decision[];
  result: ApprovalResult | null;
}

/**
 * What a decision does: `changed` is written, `repeated` was made before, `decided` and `expired`
 * refuse it.
 */
export type DecisionOutcome =
  { kind: 'changed'; to: Transition } | { kind: 'repeated' } | { kind: 'decided' } | { kind: 'expired' };

const STATE_AFTER: Readonly<Record<OptionKind, ApprovalState>> = {
  approve: 'approved',
  approve_always: 'approved',
  deny: 'denied',
  answer: 'answered',
};

/** Whether a state is final. */
export function isFinal(state: ApprovalState): boolean {
  return state !== 'pending';
}

/** Whether an option of this kind approves. */
export function approves(kind: OptionKind): boolean {
  return STATE_AFTER[kind] === 'approved';
}

/**
 * Decides about a person's decision: one denial denies, `count` people approve, the first answer
 * answers (docs/approvals.md#decisions). While the approval is pending, another decision of the
 * same person replaces the earlier one.
 *
 * @param isDue whether the time of a pending approval is up
 */
export function decide(approval: Standing, decision: Decision, isDue: boolean): DecisionOutcome {
  const earlier = approval.decisions.find(({ user_id: userId }) => userId === decision.user_id);
  if (earlier?.option_id === decision.option_id) return { kind: 'repeated' };
  if (approval.state === 'expired') return { kind: 'expired' };
  if (isFinal(approval.state)) return { kind: 'decided' };
  if (isDue) return { kind: 'expired' };
  const decisions = [
    ...approval.decisions.filter(({ user_id: userId }) => userId !== decision.user_id),
    decision,
  ];
  const same = decisions.filter(({ kind }) => STATE_AFTER[kind] === STATE_AFTER[decision.kind]);
  if (approves(decision.kind) && same.length < approval.count)
    return { kind: 'changed', to: { state: 'pending', decisions, result: null } };
  const by = same.map(({ user_id: userId }) => userId);
  return {
    kind: 'changed',
    to: { state: STATE_AFTER[decision.kind], decisions, result: resultOf(decision, by) },
  };
}

/**
 * Returns the end of an approval whose time is up. With `on_expiry` `deny` it is denied by no one.
 *
 * @param denyOptionId the option that denies; an approval with `on_expiry` `deny` has one
 */
export function expire(
  approval: Standing & { onExpiry: OnExpiry },
  denyOptionId: string | undefined,
  at: string,
): Transition {
  const { onExpiry, decisions } = approval;
  if (onExpiry === 'expire' || denyOptionId === undefined)
    return { state: 'expired', decisions, result: null };
  const result: ApprovalResult = { option_id: denyOptionId, kind: 'deny', decided_by: [], decided_at: at };
  return { state: 'denied', decisions, result };
}

/** Returns the end of an approval that its bot cancels. */
export function cancel({ decisions }: Standing): Transition {
  return { state: 'cancelled', decisions, result: null };
}

/** Returns the result of the decision that ended an approval. */
function resultOf(decision: Decision, decidedBy: string[]): ApprovalResult {
  const { option_id, kind, comment, values, at } = decision;
  return {
    option_id,
    kind,
    ...(comment !== undefined && { comment }),
    ...(values !== undefined && { values }),
    decided_by: decidedBy,
    decided_at: at,
  };
}
