import type { RuleScopeDto } from '@tieline/sdk/api';
import { useState } from 'react';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Choice } from '../../../ui/forms/choice.js';
import { FormActions } from '../../../ui/forms/form.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { Failure } from '../../../ui/page/failure.js';
import { approvalWords } from './words.js';

const SECONDS = { forever: undefined, day: 86_400, month: 2_592_000 } as const;

interface AlwaysDialogProps {
  isPending: boolean;
  error: unknown;
  onClose: () => void;
  onConfirm: (rule: RuleScopeDto) => void;
}

/** Chooses the scope of the rule that `approve_always` creates. The narrowest is preselected. */
export function AlwaysDialog({ isPending, error, onClose, onConfirm }: AlwaysDialogProps) {
  const words = useWords(approvalWords);
  const [place, setPlace] = useState<'here' | 'everywhere'>('here');
  const [what, setWhat] = useState<'same' | 'any'>('same');
  const [howLong, setHowLong] = useState<keyof typeof SECONDS>('forever');
  const seconds = SECONDS[howLong];
  const rule: RuleScopeDto = {
    ...(place === 'everywhere' && { conversation_id: null }),
    ...(what === 'any' && { arguments_sha256: null }),
    ...(seconds !== undefined && { expires_in_seconds: seconds }),
  };
  return (
    <Dialog title={words.alwaysTitle} isOpen onClose={onClose}>
      <p>{words.alwaysText}</p>
      <Choice
        isLabelled
        label={words.where}
        value={place}
        onChange={setPlace}
        options={[
          { id: 'here', label: words.here },
          { id: 'everywhere', label: words.everywhere },
        ]}
      />
      <Choice
        isLabelled
        label={words.what}
        value={what}
        onChange={setWhat}
        options={[
          { id: 'same', label: words.same },
          { id: 'any', label: words.any },
        ]}
      />
      <Choice
        isLabelled
        label={words.howLong}
        value={howLong}
        onChange={setHowLong}
        options={[
          { id: 'forever', label: words.forever },
          { id: 'day', label: words.day },
          { id: 'month', label: words.month },
        ]}
      />
      {error != null && <Failure failure={error} />}
      <FormActions>
        <Button onPress={onClose} autoFocus>
          {words.cancel}
        </Button>
        <Button kind="primary" isPending={isPending} onPress={() => onConfirm(rule)}>
          {words.alwaysTitle}
        </Button>
      </FormActions>
    </Dialog>
  );
}
