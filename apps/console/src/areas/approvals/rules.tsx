import { deleteApprovalRuleAsAdmin, listApprovalRulesAsAdmin } from '@tieline/sdk/api';
import type { ApprovalRuleView } from '@tieline/sdk/api';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api-context.js';
import { useBotNames, useChannels } from '../../api/directory.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Paged } from '../../ui/data/more.js';
import { Table } from '../../ui/data/table.js';
import { Time } from '../../ui/data/time.js';
import { Confirm } from '../../ui/overlays/confirm.js';
import { useToast } from '../../ui/overlays/toast.js';
import { Empty } from '../../ui/page/empty.js';
import { Section } from '../../ui/page/page.js';
import { approvalsWords } from './words.js';

/** The rules that approve without asking. */
export function Rules() {
  const words = useWords(approvalsWords);
  const client = useApi();
  const bots = useBotNames();
  const channels = useChannels();
  const query = useInfiniteQuery({
    queryKey: ['approvals', 'rules'],
    queryFn: ({ pageParam: cursor }) => listApprovalRulesAsAdmin({ client, query: { cursor } }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next || undefined,
  });
  const bot = new Map(bots.data?.map(({ id, display_name: name }) => [id, name]));
  const channel = new Map(channels.data?.map(({ id, name }) => [id, `#${name}`]));
  const placeOf = ({ conversation_id: id }: ApprovalRuleView) =>
    id === null ? words.everywhere : (channel.get(id) ?? words.one);
  return (
    <Section title={words.rules} intro={words.rulesText} isPlain>
      <Paged query={query} rows={(page) => page.approval_rules}>
        {(rules) => (
          <Table
            label={words.rules}
            rows={rules}
            rowId={({ id }) => id}
            empty={<Empty title={words.noRules}>{words.noRulesText}</Empty>}
            columns={[
              { id: 'tool', title: words.tool, isName: true, cell: ({ tool }) => tool },
              { id: 'bot', title: words.bot, cell: ({ bot_id: id }) => bot.get(id) ?? '' },
              { id: 'where', title: words.conversation, cell: placeOf },
              {
                id: 'arguments',
                title: words.arguments,
                cell: ({ arguments_sha256: hash }) =>
                  hash === null ? words.any : <code title={hash}>{hash.slice(0, 12)}…</code>,
              },
              {
                id: 'expires',
                title: words.expires,
                cell: ({ expires_at: at }) => (at === undefined ? words.never : <Time at={at} />),
              },
              { id: 'do', title: words.remove, isActions: true, cell: (rule) => <Remove rule={rule} /> },
            ]}
          />
        )}
      </Paged>
    </Section>
  );
}

function Remove({ rule }: { rule: ApprovalRuleView }) {
  const words = useWords(approvalsWords);
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const remove = useMutation({
    mutationFn: () => deleteApprovalRuleAsAdmin({ client, path: { id: rule.id } }),
    onSuccess: async () => {
      setOpen(false);
      await queries.invalidateQueries({ queryKey: ['approvals'] });
      toast({ kind: 'good', text: words.removed });
    },
  });
  return (
    <>
      <Button isSmall kind="quiet" aria-label={words.removeNamed(rule.tool)} onPress={() => setOpen(true)}>
        {words.remove}
      </Button>
      <Confirm
        title={words.removeTitle(rule.tool)}
        action={words.removeAction}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={() => remove.mutate()}
        isPending={remove.isPending}
        error={remove.error}
      >
        {words.removeText}
      </Confirm>
    </>
  );
}
