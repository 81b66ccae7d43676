import { useChannels } from '../../api/directory.js';
import { useWords } from '../../language/use-words.js';
import { Choice } from '../forms/choice.js';
import { PickMany } from '../forms/pick-many.js';
import { Failure } from '../page/failure.js';
import type { ChosenChannels } from './chosen-channels.js';
import { channelChoiceWords } from './words.js';

interface ChannelChoiceProps {
  chosen: ChosenChannels;
  /** Offers to keep the channels of the installation. */
  isInstalled: boolean;
  onChange: (chosen: ChosenChannels) => void;
}

/** Lets an admin choose the channels of an app's bot: all, or a list. */
export function ChannelChoice({ chosen, isInstalled, onChange }: ChannelChoiceProps) {
  const words = useWords(channelChoiceWords);
  const { data: channels, error } = useChannels();
  const options = [
    ...(isInstalled ? [{ id: 'kept' as const, label: words.keptChannels }] : []),
    { id: 'all' as const, label: words.allChannels },
    { id: 'some' as const, label: words.someChannels },
  ];
  return (
    <>
      <Choice
        label={words.channels}
        value={chosen.which}
        options={options}
        onChange={(which) => onChange({ ...chosen, which })}
        isLabelled
      />
      {error && <Failure failure={error} />}
      {chosen.which === 'some' && channels && (
        <PickMany
          label={words.chosenChannels}
          hint={words.chosenChannelsHint}
          value={chosen.ids}
          options={channels.map(({ id, name }) => ({ id, label: `#${name}` }))}
          onChange={(ids) => onChange({ which: 'some', ids })}
          none={words.noChannels}
        />
      )}
    </>
  );
}
