import { testOutgoingWebhookAsAdmin } from '@tieline/sdk/api';
import type { TrialAnswer, TrialResultView } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context.js';
import { usePreferences } from '../../../language/preferences-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { formatDuration } from '../../../ui/data/formats.js';
import { Failure } from '../../../ui/page/failure.js';
import { Note } from '../../../ui/page/note.js';
import { outgoingWords } from '../words.js';
import styles from './actions.module.css';

export type Test = UseMutationResult<TrialAnswer, Error, void>;

/** Sends a test and waits for the receiver's response. */
export function useTestSend(id: string): Test {
  const client = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => testOutgoingWebhookAsAdmin({ client, path: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['outgoing'] }),
  });
}

/** Whether the receiver accepted the test with a 2xx status. */
export const isAccepted = ({ status_code: code }: TrialResultView): boolean =>
  code !== null && code >= 200 && code < 300;

/** Result of the last test. */
export function TestSend({ test, onOpen }: { test: Test; onOpen: (deliveryId: string) => void }) {
  const words = useWords(outgoingWords);
  const { language } = usePreferences();
  if (test.error) return <Failure failure={test.error} />;
  if (!test.data) return null;
  const { delivery_id: deliveryId, result } = test.data;
  const { status_code: code, error, duration_ms: ms } = result;
  const isGood = isAccepted(result);
  const duration = formatDuration(language, ms);
  const next = code === null ? words.testUnreached : isGood ? words.testGood : words.testRefused;
  return (
    <div aria-live="polite">
      <Note kind={isGood ? 'good' : 'warning'}>
        <strong>
          {code === null ? words.testFailed(error ?? '', duration) : words.testAnswered(code, duration)}
        </strong>
        <span>{next}</span>
        <span className={styles.inNote}>
          <Button isSmall onPress={() => onOpen(deliveryId)}>
            {words.testOpen}
          </Button>
        </span>
      </Note>
    </div>
  );
}
