import { convertMarkup } from '@tieline/markup';
import { useMemo } from 'react';
import blockStyles from '../blocks/blocks.module.css';
import { asFields, text } from '../blocks/metadata.js';
import { useReadable } from '../conversations/use-readable.js';
import { Markdown } from '../markdown/markdown.js';
import { withOwnMentions } from './slack-ids.js';

/** A text object of an app: `plain_text`, or `mrkdwn` in Slack's markup. */
export function AppText({ part }: { part: unknown }) {
  const fields = asFields(part);
  return fields.type === 'mrkdwn' ? (
    <Mrkdwn markup={text(fields)} />
  ) : (
    <p className={blockStyles.plain}>{text(part)}</p>
  );
}

function Mrkdwn({ markup }: { markup: string }) {
  const readable = useReadable();
  const markdown = useMemo(
    () => convertMarkup(withOwnMentions(markup, (id) => readable.find((one) => one.id === id)?.name)),
    [markup, readable],
  );
  return <Markdown text={markdown} />;
}
