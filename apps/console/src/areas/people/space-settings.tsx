import { getSpaceAsAdmin, updateSpaceAsAdmin } from '@tieline/sdk/api';
import type { OwnSpaceView } from '@tieline/sdk/api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api-context.js';
import { useWords } from '../../language/use-words.js';
import { Button } from '../../ui/actions/button.js';
import { Checkbox } from '../../ui/forms/checkbox.js';
import { Field } from '../../ui/forms/field.js';
import { Form, FormActions } from '../../ui/forms/form.js';
import { useToast } from '../../ui/overlays/toast.js';
import { Section } from '../../ui/page/page.js';
import { peopleWords } from './words.js';

/** Settings of the space: its name, what bots see, and whether apps need an approval. */
export function SpaceSettings() {
  const words = useWords(peopleWords);
  const client = useApi();
  const { data } = useQuery({ queryKey: ['space'], queryFn: () => getSpaceAsAdmin({ client }) });
  if (!data) return null;
  return (
    <Section title={words.space}>
      <SpaceForm space={data.space} />
    </Section>
  );
}

function SpaceForm({ space }: { space: OwnSpaceView }) {
  const words = useWords(peopleWords);
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const [name, setName] = useState(space.name);
  const [areSeen, setSeen] = useState(space.bots_see_emails);
  const [needApproval, setNeedApproval] = useState(space.apps_need_approval);
  const save = useMutation({
    mutationFn: () =>
      updateSpaceAsAdmin({
        client,
        body: { name: name.trim(), bots_see_emails: areSeen, apps_need_approval: needApproval },
      }),
    onSuccess: async () => {
      toast({ kind: 'good', text: words.spaceSaved });
      // The name is shown on every page.
      await queries.invalidateQueries();
    },
  });
  return (
    <Form onSubmit={() => save.mutate()} error={save.error}>
      <Field label={words.spaceName} name="name" value={name} onChange={setName} maxLength={100} isRequired />
      <Checkbox isSelected={areSeen} onChange={setSeen} hint={words.botsSeeEmailsHint}>
        {words.botsSeeEmails}
      </Checkbox>
      <Checkbox isSelected={needApproval} onChange={setNeedApproval} hint={words.appsNeedApprovalHint}>
        {words.appsNeedApproval}
      </Checkbox>
      <FormActions>
        <Button
          type="submit"
          isPending={save.isPending}
          isDisabled={
            name.trim() === space.name &&
            areSeen === space.bots_see_emails &&
            needApproval === space.apps_need_approval
          }
        >
          {words.saveSpace}
        </Button>
      </FormActions>
    </Form>
  );
}
