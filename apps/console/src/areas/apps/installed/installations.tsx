import type { InstallationView } from '@tieline/sdk/api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/api-context.js';
import { useWords } from '../../../language/use-words.js';
import { Paged } from '../../../ui/data/more.js';
import { Table } from '../../../ui/data/table.js';
import { Time } from '../../../ui/data/time.js';
import { Squares } from '../../../ui/icons.js';
import { Empty } from '../../../ui/page/empty.js';
import { Section } from '../../../ui/page/page.js';
import { Channels } from './channels.js';
import { InstallationDialog } from './installation-dialog.js';
import { installationsQuery } from './queries.js';
import { installedWords } from './words.js';

/** Installed apps. A click on a row opens one. */
export function Installations() {
  const words = useWords(installedWords);
  const query = useInfiniteQuery(installationsQuery(useApi()));
  const [open, setOpen] = useState<InstallationView>();
  return (
    <Section title={words.apps} isPlain>
      <Paged query={query} rows={(page) => page.installations}>
        {(installations) => (
          <Table
            label={words.apps}
            rows={installations}
            rowId={({ id }) => id}
            onOpen={setOpen}
            empty={
              <Empty icon={<Squares />} title={words.none}>
                {words.noneText}
              </Empty>
            }
            columns={[
              { id: 'app', title: words.app, cell: ({ name }) => name },
              { id: 'channels', title: words.channels, cell: (one) => <Channels installation={one} /> },
              { id: 'since', title: words.installed, cell: ({ created_at: at }) => <Time at={at} /> },
            ]}
          />
        )}
      </Paged>
      {open && <InstallationDialog installation={open} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}
