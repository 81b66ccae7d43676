import type { DirectoryAppView } from '@tieline/sdk/api';
import { useWords } from '../../../language/use-words.js';
import { Badge } from '../../../ui/data/badge.js';
import { directoryWords } from './words.js';

/** Whether the space has the app, and whether the person waits for it. Nothing otherwise. */
export function AppState({ app }: { app: Pick<DirectoryAppView, 'installed' | 'requested' | 'denied'> }) {
  const words = useWords(directoryWords);
  if (app.requested) return <Badge kind="info">{words.requested}</Badge>;
  if (app.denied) return <Badge kind="bad">{words.denied}</Badge>;
  return app.installed ? <Badge kind="good">{words.installed}</Badge> : null;
}
