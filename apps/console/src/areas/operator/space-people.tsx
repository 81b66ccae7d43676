import { listUsersAsOperator } from '@tieline/sdk/api';
import type { SpaceView, UserView } from '@tieline/sdk/api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Badge } from '../../ui/data/badge.js';
import { Paged } from '../../ui/data/more.js';
import { Table } from '../../ui/data/table.js';
import styles from './operator.module.css';
import { operatorWords } from './words.js';

interface SpacePeopleProps {
  space: SpaceView;
  onReset: (person: UserView) => void;
}

/** People of a space, with an action to reset each one's token. */
export function SpacePeople({ space, onReset }: SpacePeopleProps) {
  const words = useWords(operatorWords);
  const client = useApi();
  const query = useInfiniteQuery({
    queryKey: ['operator', 'people', space.id],
    queryFn: ({ pageParam }) =>
      listUsersAsOperator({ client, path: { space_id: space.id }, query: { cursor: pageParam } }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor || undefined,
  });
  return (
    <section className={styles.part} aria-label={words.people}>
      <h3>{words.people}</h3>
      <Paged query={query} rows={(page) => page.users}>
        {(people) => (
          <Table
            label={words.people}
            rows={people}
            rowId={({ id }) => id}
            columns={[
              {
                id: 'name',
                title: words.person,
                cell: ({ display_name: name, is_active: isActive }) => (
                  <>
                    {name} {!isActive && <Badge kind="plain">{words.inactive}</Badge>}
                  </>
                ),
              },
              {
                id: 'email',
                title: words.email,
                isMinor: true,
                cell: ({ email }) => <span className={styles.email}>{email || '–'}</span>,
              },
              { id: 'role', title: words.role, cell: ({ role }) => words[role] },
              {
                id: 'reset',
                title: words.wayBack,
                isActions: true,
                cell: (person) => (
                  <Button
                    isSmall
                    aria-label={words.newTokenFor(person.display_name)}
                    onPress={() => onReset(person)}
                  >
                    {words.newToken}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Paged>
    </section>
  );
}
