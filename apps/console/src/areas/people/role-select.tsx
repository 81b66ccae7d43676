import type { UserView } from '@tieline/sdk/api';
import { usePerson } from '../../app/session/session.js';
import { useWords } from '../../language/use-words.js';
import { Select } from '../../ui/forms/select.js';
import { peopleWords } from './words.js';

type Role = UserView['role'];

/** Select for a role. Only owners can create owners. */
export function RoleSelect({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const words = useWords(peopleWords);
  const me = usePerson();
  const roles: Role[] = ['admin', 'member', 'guest'];
  if (me.role === 'owner' || value === 'owner') roles.unshift('owner');
  return (
    <Select
      label={words.role}
      name="role"
      value={value}
      options={roles.map((id) => ({ id, label: words[id], hint: words[`${id}Hint`] }))}
      onChange={onChange}
    />
  );
}
