import { createOutgoingWebhookAsAdmin } from '@tieline/sdk/api';
import type { CreatedSubscriptionAnswer } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button, ButtonLink } from '../../../ui/actions/button.js';
import { SecretOnce } from '../../../ui/data/secret.js';
import { Form, FormActions } from '../../../ui/forms/form.js';
import { Page, Section } from '../../../ui/page/page.js';
import { bodyOf, EMPTY_DRAFT } from './draft.js';
import { SubscriptionFields } from './fields.js';
import styles from './settings.module.css';
import { settingsWords } from './words.js';

/** Creates a subscription and shows its secret. */
export function NewSubscriptionPage() {
  const words = useWords(settingsWords);
  const client = useApi();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const create = useMutation({
    mutationFn: () => createOutgoingWebhookAsAdmin({ client, body: bodyOf(draft) }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['outgoing'] }),
    gcTime: 0,
  });
  if (create.data) return <Created answer={create.data} />;
  return (
    <Page title={words.newTitle} intro={words.newIntro} back={{ href: '/outgoing', label: words.back }}>
      <Form onSubmit={() => create.mutate()} error={create.error}>
        <div className={styles.parts}>
          <SubscriptionFields isNew draft={draft} change={(part) => setDraft({ ...draft, ...part })} />
        </div>
        <FormActions>
          <ButtonLink href="/outgoing">{words.cancel}</ButtonLink>
          <Button
            type="submit"
            kind="primary"
            isPending={create.isPending}
            isDisabled={draft.eventTypes.length === 0}
          >
            {words.create}
          </Button>
        </FormActions>
      </Form>
    </Page>
  );
}

function Created({
  answer: { subscription, signing_secret: secret },
}: {
  answer: CreatedSubscriptionAnswer;
}) {
  const words = useWords(settingsWords);
  return (
    <Page
      title={words.createdTitle}
      intro={words.createdText}
      back={{ href: '/outgoing', label: words.back }}
    >
      <Section title={subscription.name}>
        <SecretOnce name={words.secret} value={secret} />
        <FormActions>
          <ButtonLink kind="primary" href={`/outgoing/${subscription.id}`} autoFocus>
            {words.open}
          </ButtonLink>
        </FormActions>
      </Section>
    </Page>
  );
}
