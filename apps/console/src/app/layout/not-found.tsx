import { useWords } from '../../language/use-words.js';
import { ButtonLink } from '../../ui/actions/button.js';
import { Empty } from '../../ui/page/empty.js';
import { Page } from '../../ui/page/page.js';
import { layoutWords } from './words.js';

/** Shown for unknown addresses. */
export function NotFound() {
  const words = useWords(layoutWords);
  return (
    <Page title={words.notFound}>
      <Empty title={words.notFoundText} action={<ButtonLink href="/overview">{words.home}</ButtonLink>} />
    </Page>
  );
}

/** Shown for pages that the role cannot use. */
export function NotForRole() {
  const words = useWords(layoutWords);
  return (
    <Page title={words.notForRole}>
      <Empty
        title={words.notForRoleText}
        action={
          <ButtonLink kind="primary" href="/chat">
            {words.toChat}
          </ButtonLink>
        }
      />
    </Page>
  );
}
