import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context.js';
import { ApiFailure } from '../../../api/failure.js';
import { pushState, turnPushOff, turnPushOn } from '../../../app/push/push-device.js';
import { usePerson } from '../../../app/session/session.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Failure } from '../../../ui/page/failure.js';
import { Note } from '../../../ui/page/note.js';
import { conversationWords } from '../conversations/words.js';
import styles from './settings.module.css';

const KEY = ['chat', 'push'];

/** Switch for push notifications in this browser. */
export function PushSwitch() {
  const words = useWords(conversationWords);
  const client = useApi();
  const person = usePerson();
  const queries = useQueryClient();
  const { data: state } = useQuery({ queryKey: KEY, queryFn: () => pushState(person.id), staleTime: 0 });
  const change = useMutation({
    mutationFn: async () => {
      if (state === 'on') await turnPushOff(client);
      else await turnPushOn(client, person.id);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  const isOfApi = change.error instanceof ApiFailure;
  return (
    <section className={styles.push} aria-labelledby="push">
      <h3 id="push">{words.push}</h3>
      <p>{words.pushIntro}</p>
      {state === 'impossible' && <Note kind="info">{words.pushImpossible}</Note>}
      {state === 'refused' && <Note kind="warning">{words.pushRefused}</Note>}
      {change.error && isOfApi && <Failure failure={change.error} />}
      {change.error && !isOfApi && <Note kind="bad">{words.pushFailed}</Note>}
      {(state === 'on' || state === 'off') && (
        <div className={styles.pushLine}>
          <Button isPending={change.isPending} onPress={() => change.mutate()}>
            {state === 'on' ? words.pushTurnOff : words.pushTurnOn}
          </Button>
          {state === 'on' && <span role="status">{words.pushOn}</span>}
        </div>
      )}
    </section>
  );
}
