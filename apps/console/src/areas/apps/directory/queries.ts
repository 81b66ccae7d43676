import { listAppsAsPerson } from '@tieline/sdk/api';
import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '../../../api/api-session.js';
import { readAll } from '../../../api/directory.js';

/** The apps that the space can install, newest first. */
export const directoryQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['apps', 'directory'],
    queryFn: () =>
      readAll(
        (query) => listAppsAsPerson({ client, query }),
        ({ apps }) => apps,
      ),
  });
