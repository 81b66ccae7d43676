import { decideApprovalAsPerson } from '@tieline/sdk/api';
import type { ApprovalOptionView, ApprovalView, DecideApprovalDto } from '@tieline/sdk/api';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useApi } from '../../../api/api-context.js';
import { ApiFailure } from '../../../api/failure.js';
import { isAdmin } from '../../../app/session/is-admin.js';
import { usePerson } from '../../../app/session/session.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Badge } from '../../../ui/data/badge.js';
import { Time } from '../../../ui/data/time.js';
import { Field } from '../../../ui/forms/field.js';
import { Failure } from '../../../ui/page/failure.js';
import { Markdown } from '../markdown/markdown.js';
import { useNames } from '../names.js';
import { AlwaysDialog } from './always-dialog.js';
import { ApprovalArguments } from './approval-arguments.js';
import styles from './approval-card.module.css';
import { FormDialog } from './form-dialog.js';
import { visible } from './shown-arguments.js';
import { approvalWords } from './words.js';

const LOOKS = {
  pending: 'info',
  approved: 'good',
  denied: 'bad',
  answered: 'good',
  expired: 'warning',
  cancelled: 'plain',
} as const;

type Decision = Omit<DecideApprovalDto, 'comment'>;

interface ApprovalCardProps {
  approval: ApprovalView;
  mayDecide: boolean;
  onChange: (approval: ApprovalView) => void;
  /** Who asks, where the surroundings do not show it. */
  asker?: string;
  /** Further actions. */
  children?: ReactNode;
}

/** A bot's question with everything a person needs to decide it. */
export function ApprovalCard({ approval, mayDecide, onChange, asker, children }: ApprovalCardProps) {
  const words = useWords(approvalWords);
  const client = useApi();
  const person = usePerson();
  const [comment, setComment] = useState('');
  const [asked, setAsked] = useState<ApprovalOptionView>();
  const decide = useMutation({
    mutationFn: (decision: Decision) =>
      decideApprovalAsPerson({
        client,
        path: { id: approval.id },
        body: { ...decision, ...(comment.trim() !== '' && { comment }) },
      }),
    onSuccess: ({ approval: changed }) => {
      setAsked(undefined);
      onChange(changed);
    },
  });
  const choose = (option: ApprovalOptionView) => {
    const needsForm = approval.form !== null && option.kind !== 'deny';
    if (needsForm || option.kind === 'approve_always') setAsked(option);
    else decide.mutate({ option_id: option.id });
  };
  const options = approval.options.filter(({ kind }) => kind !== 'approve_always' || isAdmin(person.role));
  const refusals = decide.error instanceof ApiFailure ? decide.error.errors : undefined;
  return (
    <section className={styles.card} aria-label={`${words.approval}: ${visible(approval.title)}`}>
      <div className={styles.head}>
        <strong>{visible(approval.title)}</strong>
        <Badge kind={LOOKS[approval.state]}>{words[approval.state]}</Badge>
      </div>
      {asker !== undefined && <span className={styles.facts}>{asker}</span>}
      {approval.text !== '' && <Markdown text={approval.text} />}
      {approval.tool !== null && <span>{words.tool(visible(approval.tool))}</span>}
      {approval.arguments !== null && (
        <ApprovalArguments of={approval.arguments} sha256={approval.arguments_sha256} />
      )}
      <Facts approval={approval} />
      {decide.error && !refusals && <Failure failure={decide.error} />}
      {mayDecide && approval.state === 'pending' && (
        <>
          <Field label={words.comment} value={comment} onChange={setComment} maxLength={1000} />
          <div className={styles.buttons}>
            {options.map((option) => (
              <Button
                key={option.id}
                isSmall
                kind={kindOf(option)}
                isPending={decide.isPending}
                onPress={() => choose(option)}
              >
                {visible(option.label)}
              </Button>
            ))}
          </div>
        </>
      )}
      {children && <div className={styles.buttons}>{children}</div>}
      {asked?.kind === 'approve_always' && (
        <AlwaysDialog
          isPending={decide.isPending}
          error={decide.error}
          onClose={() => setAsked(undefined)}
          onConfirm={(rule) => decide.mutate({ option_id: asked.id, rule })}
        />
      )}
      {asked && asked.kind !== 'approve_always' && approval.form !== null && (
        <FormDialog
          form={approval.form}
          conversationId={approval.conversation_id}
          submitLabel={visible(asked.label)}
          errors={refusals ?? {}}
          error={refusals ? null : decide.error}
          isPending={decide.isPending}
          onClose={() => setAsked(undefined)}
          onSubmit={(values) => decide.mutate({ option_id: asked.id, values })}
        />
      )}
    </section>
  );
}

/** Who has decided what, how many approvals are missing, and when the time is up. */
function Facts({ approval }: { approval: ApprovalView }) {
  const words = useWords(approvalWords);
  const names = useNames();
  const labels = new Map(approval.options.map(({ id, label }) => [id, visible(label)]));
  const { count } = approval.approvers;
  return (
    <ul className={styles.facts}>
      {approval.requested_by !== undefined && <li>{words.requestedBy(names.of(approval.requested_by))}</li>}
      {approval.decisions.map(({ user_id: id, option_id: option, via, comment }) => (
        <li key={id}>
          {via === 'rule' ? words.byRule : words.decided(names.of(id), labels.get(option) ?? option)}
          {comment !== undefined && ` — ${visible(comment)}`}
        </li>
      ))}
      {approval.state === 'pending' && count > 1 && <li>{words.needed(approval.decisions.length, count)}</li>}
      {approval.state === 'pending' && (
        <li>
          {words.until} <Time at={approval.expires_at} />
        </li>
      )}
      {approval.reason !== undefined && <li>{visible(approval.reason)}</li>}
    </ul>
  );
}

function kindOf({ style, kind }: ApprovalOptionView): 'primary' | 'danger' | 'secondary' {
  if (style === 'primary' || style === 'danger') return style;
  return kind === 'deny' && style === undefined ? 'danger' : 'secondary';
}
