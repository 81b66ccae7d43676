import { Injectable } from '@nestjs/common';
import type { MethodGroup } from '../dispatcher/slack-method.js';

/** Methods about things that Tieline does not have: custom emoji and groups of people. */
@Injectable()
export class EmptyMethods implements MethodGroup {
  readonly methods: MethodGroup['methods'] = [
    {
      name: 'emoji.list',
      scopes: [],
      arguments: { include_categories: 'unused' },
      run: async () => ({ emoji: {}, cache_ts: '0' }),
    },
    {
      name: 'usergroups.list',
      scopes: [],
      arguments: { include_count: 'unused', include_disabled: 'unused', include_users: 'unused' },
      run: async () => ({ usergroups: [] }),
    },
    {
      name: 'usergroups.users.list',
      scopes: [],
      arguments: { usergroup: 'text', include_disabled: 'unused' },
      run: async () => ({ users: [] }),
    },
  ];
}
