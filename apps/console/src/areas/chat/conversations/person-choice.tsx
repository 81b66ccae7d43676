import { useWords } from '../../../language/use-words.js';
import { Finder } from '../../../ui/forms/finder.js';
import { useNames } from '../names.js';
import { conversationWords } from './words.js';

interface PersonChoiceProps {
  label: string;
  name?: string;
  value: string;
  onChange: (id: string) => void;
  isRequired?: boolean;
  /** Excludes bots. */
  isPeopleOnly?: boolean;
}

/** Finds a person or bot by name. Users who cannot list people enter an id. */
export function PersonChoice({ label, name, value, onChange, isRequired, isPeopleOnly }: PersonChoiceProps) {
  const words = useWords(conversationWords);
  const names = useNames();
  const options = names.all
    .filter(({ isBot }) => !(isPeopleOnly && isBot))
    .map(({ id, name: text, isBot }) => ({ id, label: text, ...(isBot && { hint: words.bot }) }));
  return (
    <Finder
      label={label}
      name={name}
      value={value}
      onChange={onChange}
      options={options}
      isRequired={isRequired}
      isFree
      placeholder={words.nameOrId}
    />
  );
}
