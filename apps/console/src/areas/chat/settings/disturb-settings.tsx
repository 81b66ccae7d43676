import { getMeAsPerson, updateMeAsPerson } from '@tieline/sdk/api';
import type { NotificationsDto, OwnUserView } from '@tieline/sdk/api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { usePreferences } from '../../../language/preferences-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { formatInstant } from '../../../ui/data/formats.js';
import { Checkbox } from '../../../ui/forms/checkbox.js';
import { Choice } from '../../../ui/forms/choice.js';
import { Field } from '../../../ui/forms/field.js';
import { Form, FormActions } from '../../../ui/forms/form.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { Failure } from '../../../ui/page/failure.js';
import { Loading } from '../../../ui/page/loading.js';
import { ClockField } from '../blocks/late-moments.js';
import { conversationWords } from '../conversations/words.js';
import { PushSwitch } from './push-switch.js';
import styles from './settings.module.css';

type Quiet = 'off' | 'kept' | '1' | '4' | '24';

/** Settings for do-not-disturb: a period from now, and daily quiet hours. */
export function DisturbSettings({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const words = useWords(conversationWords);
  const client = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ['chat', 'me'],
    queryFn: () => getMeAsPerson({ client }),
    enabled: isOpen,
  });
  return (
    <Dialog title={words.notificationsTitle} isOpen={isOpen} onClose={onClose}>
      {isOpen && <PushSwitch />}
      {error && <Failure failure={error} onRetry={refetch} />}
      {data ? <Settings user={data.user} onClose={onClose} /> : !error && <Loading />}
    </Dialog>
  );
}

function Settings({ user, onClose }: { user: OwnUserView; onClose: () => void }) {
  const words = useWords(conversationWords);
  const { language } = usePreferences();
  const client = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const { dnd_until: until, quiet_hours: hours } = user.notifications;
  const kept = until !== null && new Date(until) > new Date() ? until : undefined;
  const [quiet, setQuiet] = useState<Quiet>(kept === undefined ? 'off' : 'kept');
  const [isDaily, setDaily] = useState(hours !== null);
  const [start, setStart] = useState(hours?.start ?? '22:00');
  const [end, setEnd] = useState(hours?.end ?? '08:00');
  const [zone, setZone] = useState(hours?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const save = useMutation({
    mutationFn: () => {
      const notifications: NotificationsDto = {
        ...(quiet !== 'kept' && { dnd_until: instantAfter(quiet) }),
        quiet_hours: isDaily ? { start, end, time_zone: zone } : null,
      };
      return updateMeAsPerson({ client, body: { notifications } });
    },
    onSuccess: (answer) => {
      queries.setQueryData(['chat', 'me'], answer);
      toast({ kind: 'good', text: words.saved });
      onClose();
    },
  });
  return (
    <Form onSubmit={() => save.mutate()} error={save.error}>
      <h3 className={styles.quiet}>{words.dndTitle}</h3>
      <p>{words.dndIntro}</p>
      {kept !== undefined && <p>{words.until(formatInstant(language, kept))}</p>}
      <Choice<Quiet>
        label={words.dnd}
        value={quiet}
        onChange={setQuiet}
        options={[
          { id: 'off', label: words.off },
          { id: '1', label: words.hour },
          { id: '4', label: words.fourHours },
          { id: '24', label: words.day },
        ]}
      />
      <Checkbox isSelected={isDaily} onChange={setDaily}>
        {words.quietHours}
      </Checkbox>
      {isDaily && (
        <div className={styles.hours}>
          <ClockField label={words.from} value={start} onChange={setStart} isRequired />
          <ClockField label={words.to} value={end} onChange={setEnd} isRequired />
          <Field label={words.zone} value={zone} onChange={setZone} isRequired />
        </div>
      )}
      <FormActions>
        <Button onPress={onClose}>{words.cancel}</Button>
        <Button kind="primary" type="submit" isPending={save.isPending}>
          {words.save}
        </Button>
      </FormActions>
    </Form>
  );
}

const instantAfter = (quiet: Exclude<Quiet, 'kept'>): string | null =>
  quiet === 'off' ? null : new Date(Date.now() + Number(quiet) * 3_600_000).toISOString();
