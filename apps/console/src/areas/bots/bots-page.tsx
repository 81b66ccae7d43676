import { Page } from '../../ui/page/page.js';

export function BotsPage() {
  return <Page title="Bots">x</Page>;
}
