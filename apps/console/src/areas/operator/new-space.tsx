import { createSpaceAsOperator } from '@tieline/sdk/api';
import type { SpaceView } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { SecretOnce } from '../../ui/data/secret.js';
import { Field } from '../../ui/forms/field.js';
import { Form, FormActions } from '../../ui/forms/form.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { Fact, Facts } from '../../ui/page/page.js';
import { uiWords } from '../../ui/words.js';
import { PlanSelect } from './plan-select.js';
import { operatorWords } from './words.js';

/** Creates a space and shows the token of its first owner. */
export function NewSpace({ onClose }: { onClose: () => void }) {
  const words = useWords(operatorWords);
  const ui = useWords(uiWords);
  const client = useApi();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [plan, setPlan] = useState<SpaceView['plan']>('free');
  const create = useMutation({
    mutationFn: () => createSpaceAsOperator({ client, body: { name: name.trim(), plan } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['operator'] }),
    gcTime: 0,
  });
  if (create.data)
    return (
      <Dialog isOpen isKept title={words.createdTitle(create.data.space.name)} onClose={onClose}>
        <p>{words.createdText}</p>
        <SecretOnce name={words.ownerToken} value={create.data.owner_token} />
        <Facts>
          <Fact name={words.ownerId}>
            <code>{create.data.owner.id}</code>
          </Fact>
        </Facts>
        <FormActions>
          <Button kind="primary" onPress={onClose}>
            {ui.done}
          </Button>
        </FormActions>
      </Dialog>
    );
  return (
    <Dialog isOpen title={words.create} onClose={onClose}>
      <Form onSubmit={() => create.mutate()} error={create.error}>
        <Field label={words.name} name="name" value={name} onChange={setName} isRequired autoFocus />
        <PlanSelect value={plan} onChange={setPlan} />
        <FormActions>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button type="submit" kind="primary" isPending={create.isPending}>
            {words.createDo}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
