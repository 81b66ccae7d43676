import type { AppView } from '@tieline/sdk/api';
import { useWords } from '../../../language/use-words.js';
import { Badge } from '../../../ui/data/badge.js';
import { ownWords } from './words.js';

/** Whether people can install the app, and where. */
export function OwnAppState({ app }: { app: AppView }) {
  const words = useWords(ownWords);
  if (!app.is_active) return <Badge kind="plain">{words.inactive}</Badge>;
  if (app.distribution === 'space') return <Badge kind="good">{words.active}</Badge>;
  return app.is_listed ? <Badge kind="good">{words.listed}</Badge> : <Badge kind="info">{words.waits}</Badge>;
}
