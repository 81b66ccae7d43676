import { Page } from '../../ui/page/page.js';

export function OverviewPage() {
  return <Page title="Overview">x</Page>;
}
