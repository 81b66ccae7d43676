import type { UserView } from '@tieline/sdk/api';
import { useState } from 'react';
import { usePeople } from '../../api/directory.js';
import { usePerson } from '../../app/session/session.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Badge } from '../../ui/data/badge.js';
import { Table } from '../../ui/data/table.js';
import { Time } from '../../ui/data/time.js';
import { Field } from '../../ui/forms/field.js';
import { Plus } from '../../ui/icons.js';
import { Empty } from '../../ui/page/empty.js';
import { Failure } from '../../ui/page/failure.js';
import { Loading } from '../../ui/page/loading.js';
import { Page } from '../../ui/page/page.js';
import { AddPerson } from './add-person.js';
import { PersonDialog } from './person-dialog.js';
import { SpaceSettings } from './space-settings.js';
import { peopleWords } from './words.js';

/** Lists all people of the space. A click on a row opens the person. */
export function PeoplePage() {
  const words = useWords(peopleWords);
  const { data: people, error, refetch } = usePeople();
  const [isAdding, setAdding] = useState(false);
  const [openId, setOpenId] = useState<string>();
  const [text, setText] = useState('');
  const open = people?.find(({ id }) => id === openId);
  return (
    <Page
      title={words.title}
      intro={words.intro}
      actions={
        <Button kind="primary" icon={<Plus />} onPress={() => setAdding(true)}>
          {words.add}
        </Button>
      }
    >
      {error && !people && <Failure failure={error} onRetry={refetch} />}
      {!people && !error && <Loading />}
      {people && people.length > 8 && <Field label={words.search} value={text} onChange={setText} />}
      {people && (
        <Rows people={people.filter((one) => matches(one, text))} onOpen={({ id }) => setOpenId(id)} />
      )}
      <SpaceSettings />
      {isAdding && <AddPerson onClose={() => setAdding(false)} />}
      {open && <PersonDialog key={open.id} person={open} onClose={() => setOpenId(undefined)} />}
    </Page>
  );
}

function Rows({ people, onOpen }: { people: UserView[]; onOpen: (person: UserView) => void }) {
  const words = useWords(peopleWords);
  const me = usePerson();
  return (
    <Table
      label={words.title}
      rows={people}
      rowId={({ id }) => id}
      onOpen={onOpen}
      empty={<Empty title={words.noMatch}>{words.noMatchText}</Empty>}
      columns={[
        {
          id: 'name',
          title: words.name,
          cell: ({ id, display_name: name }) => (
            <>
              {name} {id === me.id && <Badge kind="info">{words.you}</Badge>}
            </>
          ),
        },
        { id: 'email', title: words.email, isMinor: true, cell: ({ email }) => email || '–' },
        { id: 'role', title: words.role, cell: ({ role }) => words[role] },
        {
          id: 'state',
          title: words.state,
          cell: ({ is_active: isActive }) => (
            <Badge kind={isActive ? 'good' : 'plain'}>{isActive ? words.active : words.inactive}</Badge>
          ),
        },
        { id: 'since', title: words.since, isMinor: true, cell: (one) => <Time at={one.created_at} /> },
      ]}
    />
  );
}

const matches = ({ display_name: name, email }: UserView, text: string): boolean =>
  `${name} ${email}`.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase());
