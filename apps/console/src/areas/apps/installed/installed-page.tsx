import { useWords } from '../../../language/use-words.js';
import { ButtonLink } from '../../../ui/actions/button.js';
import { Page } from '../../../ui/page/page.js';
import { Installations } from './installations.js';
import { Requests } from './requests.js';
import { installedWords } from './words.js';

/** Requests of members, and the installed apps. */
export function InstalledPage() {
  const words = useWords(installedWords);
  const directory = <ButtonLink href="/apps">{words.directory}</ButtonLink>;
  return (
    <Page title={words.title} intro={words.intro} actions={directory}>
      <Requests />
      <Installations />
    </Page>
  );
}
