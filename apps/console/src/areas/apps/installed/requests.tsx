import type { AppRequestView } from '@tieline/sdk/api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { usePeople } from '../../../api/directory.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Badge } from '../../../ui/data/badge.js';
import { Paged } from '../../../ui/data/more.js';
import { Table } from '../../../ui/data/table.js';
import { Time } from '../../../ui/data/time.js';
import { Choice } from '../../../ui/forms/choice.js';
import { Empty } from '../../../ui/page/empty.js';
import { Section } from '../../../ui/page/page.js';
import { requestsQuery } from './queries.js';
import { ReviewRequest } from './review-request.js';
import { installedWords } from './words.js';

const LOOKS = { pending: 'info', approved: 'good', denied: 'bad' } as const;

/** Requests of members to install apps. */
export function Requests() {
  const words = useWords(installedWords);
  const client = useApi();
  const [which, setWhich] = useState<'pending' | 'all'>('pending');
  const [reviewed, setReviewed] = useState<AppRequestView>();
  const query = useInfiniteQuery(requestsQuery(client, which));
  const people = usePeople();
  const nameOf = ({ user_id: id }: AppRequestView) =>
    people.data?.find((person) => person.id === id)?.display_name ?? '';
  return (
    <Section
      title={useTitle()}
      intro={words.requestsText}
      actions={
        <Choice
          label={words.which}
          value={which}
          options={[
            { id: 'pending', label: words.pendingOnly },
            { id: 'all', label: words.all },
          ]}
          onChange={setWhich}
        />
      }
      isPlain
    >
      <Paged query={query} rows={(page) => page.app_requests}>
        {(requests) => (
          <Table
            label={words.requests}
            rows={requests}
            rowId={({ id }) => id}
            empty={<Empty title={words.noRequests}>{words.noRequestsText}</Empty>}
            columns={[
              { id: 'app', title: words.app, isName: true, cell: ({ name }) => name },
              { id: 'person', title: words.person, cell: nameOf },
              {
                id: 'state',
                title: words.state,
                cell: ({ state }) => <Badge kind={LOOKS[state]}>{words[state]}</Badge>,
              },
              { id: 'asked', title: words.asked, cell: ({ created_at: at }) => <Time at={at} /> },
              {
                id: 'do',
                title: words.review,
                isActions: true,
                cell: (request) =>
                  request.state === 'pending' && (
                    <Button
                      isSmall
                      aria-label={words.reviewNamed(request.name, nameOf(request))}
                      onPress={() => setReviewed(request)}
                    >
                      {words.review}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Paged>
      {reviewed && (
        <ReviewRequest request={reviewed} person={nameOf(reviewed)} onClose={() => setReviewed(undefined)} />
      )}
    </Section>
  );
}

/** The title with the number of pending requests. */
function useTitle(): string {
  const words = useWords(installedWords);
  const { data } = useInfiniteQuery(requestsQuery(useApi(), 'pending'));
  const count = data?.pages.reduce((sum, page) => sum + page.app_requests.length, 0) ?? 0;
  const hasMore = data?.pages.at(-1)?.next_cursor !== '';
  return count === 0 ? words.requests : words.requestsCount(`${count}${hasMore ? '+' : ''}`);
}
