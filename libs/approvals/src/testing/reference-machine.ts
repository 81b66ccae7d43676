import type { Approval } from './approvals-harness.js';

/** A response to a request about an approval. */
export interface Answer {
  status: number;
  body: Record<string, any>;
}

/** What was tried on an approval, and its response. */
export interface Attempt {
  /** A person's id, `bot` for a cancellation, `repeat` for the same creation. */
  by: string;
  option?: string;
  answer: Answer;
}

/** A generator of numbers below `n`, the same for every run with the same seed. */
export function numbers(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

export const OPTIONS = [
  { id: 'yes', label: 'Yes', kind: 'approve' },
  { id: 'also', label: 'Also', kind: 'approve' },
  { id: 'no', label: 'No', kind: 'deny' },
  { id: 'maybe', label: 'Maybe', kind: 'answer' },
];
export const ALWAYS = { id: 'always', label: 'Always', kind: 'approve_always' };

/** The reference machine: the decisions that count, one after the other. */
function reference(approval: Approval): { state: string; decidedBy: string[] } {
  const kinds = new Map(
    (approval.options as { id: string; kind: string }[]).map(({ id, kind }) => [id, kind]),
  );
  const approvedBy: string[] = [];
  for (const { user_id: user, option_id: option } of approval.decisions as Record<string, string>[]) {
    const kind = kinds.get(option as string);
    if (kind === 'deny') return { state: 'denied', decidedBy: [user as string] };
    if (kind === 'answer') return { state: 'answered', decidedBy: [user as string] };
    approvedBy.push(user as string);
    if (approvedBy.length === approval.approvers.count) return { state: 'approved', decidedBy: approvedBy };
  }
  return { state: 'pending', decidedBy: [] };
}

/** Returns what contradicts the reference machine. */
export function contradictions(final: Approval, attempts: readonly Attempt[]): string[] {
  const found: string[] = [];
  const expected = reference(final);
  const { state, result } = final;
  if (expected.state !== 'pending') {
    if (state !== expected.state) found.push(`${state} instead of ${expected.state}`);
    if (String(result?.decided_by) !== String(expected.decidedBy)) found.push('another result');
  } else if (state === 'denied') {
    if (final.on_expiry !== 'deny' || result.decided_by.length > 0) found.push('denied by no one');
  } else if (!['pending', 'expired', 'cancelled'].includes(state) || result !== null)
    found.push(`${state} without decisions`);
  const users = (final.decisions as { user_id: string }[]).map(({ user_id: user }) => user);
  if (new Set(users).size !== users.length) found.push('two decisions of one person');
  for (const { by, option, answer } of attempts) {
    if (![200, 403, 409, 410].includes(answer.status)) found.push(`status ${answer.status}`);
    if (answer.status === 403 && option !== 'always') found.push(`403 for ${option}`);
    const shown = answer.body.approval as Approval | undefined;
    if (answer.status === 409 && JSON.stringify(shown?.result) !== JSON.stringify(result))
      found.push('409 with another result');
    if (answer.status !== 200 || !shown) continue;
    if (shown.id !== final.id) found.push('a second approval');
    if (shown.state !== 'pending' && JSON.stringify(shown.result) !== JSON.stringify(result))
      found.push('200 with another result');
    if (by === 'bot' && state !== 'cancelled') found.push('a cancelled approval went on');
    if (shown.sequence > final.sequence) found.push('the sequence decreased');
  }
  return found;
}
