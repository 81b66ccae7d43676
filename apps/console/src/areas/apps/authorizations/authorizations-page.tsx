import { deleteAuthorizationAsPerson, listAuthorizationsAsPerson } from '@tieline/sdk/api';
import type { AuthorizationView } from '@tieline/sdk/api';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Button, ButtonLink } from '../../../ui/actions/button.js';
import { Paged } from '../../../ui/data/more.js';
import { Time } from '../../../ui/data/time.js';
import { Squares } from '../../../ui/icons.js';
import { Removal } from '../../../ui/overlays/removal.js';
import { Empty } from '../../../ui/page/empty.js';
import { Fact, Facts, Page, Section } from '../../../ui/page/page.js';
import { namedScopes, Scopes } from '../../../ui/scopes/scopes.js';
import { appScopesWords } from '../../../ui/scopes/words.js';
import styles from '../apps.module.css';
import { authorizationsWords } from './words.js';

/** Lists what the person allowed apps, and revokes it. */
export function AuthorizationsPage() {
  const words = useWords(authorizationsWords);
  const client = useApi();
  const [revoking, setRevoking] = useState<AuthorizationView>();
  const query = useInfiniteQuery({
    queryKey: ['apps', 'authorizations'],
    queryFn: ({ pageParam: cursor }) => listAuthorizationsAsPerson({ client, query: { cursor } }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next || undefined,
  });
  const directory = <ButtonLink href="/apps">{words.directory}</ButtonLink>;
  return (
    <Page title={words.title} intro={words.intro} actions={directory}>
      <Paged query={query} rows={(page) => page.authorizations}>
        {(authorizations) =>
          authorizations.length === 0 ? (
            <Empty icon={<Squares />} title={words.none}>
              {words.noneText}
            </Empty>
          ) : (
            authorizations.map((one) => (
              <Authorization key={one.id} authorization={one} onRevoke={() => setRevoking(one)} />
            ))
          )
        }
      </Paged>
      {revoking && <Revocation authorization={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  );
}

interface AuthorizationProps {
  authorization: AuthorizationView;
  onRevoke: () => void;
}

function Authorization({ authorization, onRevoke }: AuthorizationProps) {
  const words = useWords(authorizationsWords);
  const titles = useWords(appScopesWords);
  const { name, scopes, created_at: since, expires_at: until } = authorization;
  return (
    <Section
      title={name}
      actions={
        <Button isSmall aria-label={words.revokeNamed(name)} onPress={onRevoke}>
          {words.revoke}
        </Button>
      }
    >
      <div className={styles.parts}>
        <Scopes title={titles.forPerson} scopes={namedScopes(scopes)} />
        <Facts>
          <Fact name={words.since}>
            <Time at={since} />
          </Fact>
          <Fact name={words.until}>
            <Time at={until} />
          </Fact>
        </Facts>
      </div>
    </Section>
  );
}

interface RevocationProps {
  authorization: AuthorizationView;
  onClose: () => void;
}

function Revocation({ authorization: { id, name }, onClose }: RevocationProps) {
  const words = useWords(authorizationsWords);
  const client = useApi();
  const queries = useQueryClient();
  return (
    <Removal
      title={words.revokeTitle(name)}
      action={words.revokeAction}
      remove={() => deleteAuthorizationAsPerson({ client, path: { id } })}
      done={words.revoked}
      onRemoved={async () => {
        await queries.invalidateQueries({ queryKey: ['apps'] });
        onClose();
      }}
      onClose={onClose}
    >
      {words.revokeText}
    </Removal>
  );
}
