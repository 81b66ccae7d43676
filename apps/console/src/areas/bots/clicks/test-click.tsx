import { testClickAsAdmin } from '@tieline/sdk/api';
import type { AdminBotView, TestClickAnswer, TestClickResultView } from '@tieline/sdk/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { usePreferences } from '../../../language/preferences-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button } from '../../../ui/actions/button.js';
import { Code } from '../../../ui/data/code.js';
import { formatDuration } from '../../../ui/data/formats.js';
import { Field } from '../../../ui/forms/field.js';
import { Form, FormActions } from '../../../ui/forms/form.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { Note } from '../../../ui/page/note.js';
import { uiWords } from '../../../ui/words.js';
import { indented } from '../activity/indented.js';
import styles from '../bots.module.css';
import { clicksWords } from './words.js';

/** Sends a test click to the bot and shows the response. */
export function TestClick({ bot, onClose }: { bot: AdminBotView; onClose: () => void }) {
  const words = useWords(clicksWords);
  const ui = useWords(uiWords);
  const client = useApi();
  const queries = useQueryClient();
  const [action, setAction] = useState('test');
  const [data, setData] = useState('');
  const send = useMutation({
    mutationFn: () =>
      testClickAsAdmin({ client, path: { id: bot.id }, body: { action_id: action.trim(), data } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['bots', 'callbacks', bot.id] }),
  });
  return (
    <Dialog isOpen isWide title={words.testTitle(bot.display_name)} onClose={onClose}>
      <Form onSubmit={() => send.mutate()} error={send.error}>
        <p>{words.testText}</p>
        <Field
          label={words.action}
          name="action_id"
          value={action}
          onChange={setAction}
          maxLength={100}
          isRequired
          isCode
        />
        <Field
          label={words.data}
          name="data"
          value={data}
          onChange={setData}
          rows={2}
          maxLength={2000}
          isCode
        />
        <div aria-live="polite">{send.data && <Outcome answer={send.data} />}</div>
        <FormActions>
          <Button onPress={onClose}>{ui.close}</Button>
          <Button type="submit" kind="primary" isPending={send.isPending}>
            {send.data ? words.sendAgain : words.send}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

function Outcome({ answer: { result } }: { answer: TestClickAnswer }) {
  const words = useWords(clicksWords);
  if (result) return <Answered result={result} />;
  return (
    <Note kind="good">
      <strong>{words.queued}</strong>
      <span>{words.queuedText}</span>
    </Note>
  );
}

function Answered({ result }: { result: TestClickResultView }) {
  const words = useWords(clicksWords);
  const { language } = usePreferences();
  const { status_code: code, error, response } = result;
  const duration = formatDuration(language, result.duration_ms);
  const isAnswer = code !== null && code >= 200 && code <= 299;
  return (
    <div className={styles.part}>
      <Note kind={error === null ? 'good' : 'warning'}>
        <strong>{code === null ? words.unanswered(duration) : words.answered(code, duration)}</strong>
        <span>
          {error === null ? words.good : `${isAnswer ? words.unreadable : words.unusable} ${error}`}
        </span>
        {code !== null && response === '' && <span>{words.noBody}</span>}
      </Note>
      {response !== '' && <Code text={indented(response)} what={words.answer} />}
    </div>
  );
}
