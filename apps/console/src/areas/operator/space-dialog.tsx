import { updateSpaceAsOperator } from '@tieline/sdk/api';
import type { SpaceView, UpdateSpaceDto, UserView } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Field } from '../../ui/forms/field.js';
import { Form, FormActions } from '../../ui/forms/form.js';
import { Confirm } from '../../ui/overlays/confirm.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { useToast } from '../../ui/overlays/toast.js';
import { Fact, Facts } from '../../ui/page/page.js';
import { PersonReset } from './person-reset.js';
import { PlanSelect } from './plan-select.js';
import { SpaceLimits } from './space-limits.js';
import { SpacePeople } from './space-people.js';
import { operatorWords } from './words.js';

/** Dialog for one space: name, plan, state, limits and people. */
export function SpaceDialog({ space, onClose }: { space: SpaceView; onClose: () => void }) {
  const words = useWords(operatorWords);
  const [name, setName] = useState(space.name);
  const [plan, setPlan] = useState(space.plan);
  const [isAsked, setAsked] = useState(false);
  const [reset, setReset] = useState<UserView>();
  const save = useSave(space, onClose);
  if (reset)
    return <PersonReset space={space} person={reset} onBack={() => setReset(undefined)} onClose={onClose} />;
  if (isAsked)
    return (
      <Confirm
        isOpen
        title={words.switchOffTitle(space.name)}
        action={words.switchOff}
        onClose={() => setAsked(false)}
        onConfirm={() => save.mutate({ is_active: false })}
        isPending={save.isPending}
        error={save.error}
      >
        {words.switchOffText}
      </Confirm>
    );
  return (
    <Dialog isOpen isWide title={space.name} onClose={onClose}>
      <Form onSubmit={() => save.mutate({ name: name.trim(), plan })} error={save.error}>
        <Field label={words.name} name="name" value={name} onChange={setName} isRequired />
        <PlanSelect value={plan} onChange={setPlan} />
        <Facts>
          <Fact name={words.id}>
            <code>{space.id}</code>
          </Fact>
        </Facts>
        <FormActions>
          {space.is_active ? (
            <Button onPress={() => setAsked(true)}>{words.switchOff}</Button>
          ) : (
            <Button onPress={() => save.mutate({ is_active: true })}>{words.switchOn}</Button>
          )}
          <Button type="submit" kind="primary" isPending={save.isPending}>
            {words.save}
          </Button>
        </FormActions>
      </Form>
      <SpaceLimits space={space} />
      <SpacePeople space={space} onReset={setReset} />
    </Dialog>
  );
}

function useSave({ id }: SpaceView, onDone: () => void) {
  const words = useWords(operatorWords);
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (body: UpdateSpaceDto) => updateSpaceAsOperator({ client, path: { id }, body }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['operator'] });
      toast({ kind: 'good', text: words.saved });
      onDone();
    },
  });
}
