/* Bodies of GitHub and GitLab, with the fields that they really have and texts of our own. */

const REPOSITORY = {
  id: 1,
  name: 'shop',
  full_name: 'acme/shop',
  private: true,
  html_url: 'https://github.com/acme/shop',
  default_branch: 'main',
};
const SENDER = { login: 'ann', id: 7, type: 'User', html_url: 'https://github.com/ann' };
const AROUND = { repository: REPOSITORY, sender: SENDER };
const COMMITS = [
  {
    id: 'aaaaaaaa11111111',
    message: 'Fix *all*\n\nlong story',
    url: 'https://github.com/acme/shop/commit/aaaaaaaa',
    author: { name: 'Ann', username: 'ann' },
  },
  {
    id: 'bbbbbbbb22222222',
    message: 'Add tests',
    url: 'https://github.com/acme/shop/commit/bbbbbbbb',
    author: { name: 'Bob' },
  },
];

export const GITHUB_PING = {
  zen: 'Keep it logically awesome.',
  hook_id: 1,
  hook: { type: 'Repository', events: ['push'] },
  ...AROUND,
};

export const GITHUB_PUSH = {
  ref: 'refs/heads/main',
  before: '0'.repeat(40).replace(/0$/, '1'),
  after: 'b'.repeat(40),
  created: false,
  deleted: false,
  forced: false,
  base_ref: null,
  compare: 'https://github.com/acme/shop/compare/a...b',
  commits: COMMITS,
  head_commit: COMMITS[1],
  pusher: { name: 'ann', email: 'ann@example.com' },
  ...AROUND,
};

export const GITHUB_PULL_REQUEST = {
  action: 'closed',
  number: 7,
  pull_request: {
    number: 7,
    title: 'Faster checkout',
    state: 'closed',
    merged: true,
    html_url: 'https://github.com/acme/shop/pull/7',
    body: null,
  },
  ...AROUND,
};

export const GITHUB_ISSUE = {
  action: 'opened',
  issue: {
    number: 3,
    title: 'It is slow',
    state: 'open',
    html_url: 'https://github.com/acme/shop/issues/3',
    body: 'very',
    labels: [],
  },
  ...AROUND,
};

export const GITHUB_COMMENT = {
  action: 'created',
  issue: GITHUB_ISSUE.issue,
  comment: { id: 1, body: 'me too', html_url: 'https://github.com/acme/shop/issues/3#issuecomment-1' },
  ...AROUND,
};

export const GITHUB_RUN = {
  action: 'completed',
  workflow_run: {
    id: 1,
    name: 'CI',
    head_branch: 'main',
    run_number: 42,
    event: 'push',
    display_title: 'Fix all',
    status: 'completed',
    conclusion: 'failure',
    html_url: 'https://github.com/acme/shop/actions/runs/1',
    head_commit: { message: 'Fix all' },
  },
  workflow: { name: 'CI', path: '.github/workflows/ci.yml' },
  ...AROUND,
};

export const GITHUB_RELEASE = {
  action: 'published',
  release: {
    tag_name: 'v1.2.0',
    name: 'One two',
    body: 'notes',
    draft: false,
    html_url: 'https://github.com/acme/shop/releases/tag/v1.2.0',
  },
  ...AROUND,
};

export const GITHUB_STAR = { action: 'created', starred_at: '2026-11-22T09:00:00Z', ...AROUND };

const PROJECT = {
  id: 15,
  name: 'Shop',
  web_url: 'https://gitlab.example/acme/shop',
  path_with_namespace: 'acme/shop',
  default_branch: 'main',
};
const USER = { id: 1, name: 'Ann', username: 'ann', avatar_url: null };

export const GITLAB_PUSH = {
  object_kind: 'push',
  event_name: 'push',
  before: '95790bf891e76fee5e1747ab589903a6a1f80f22',
  after: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
  ref: 'refs/heads/main',
  user_id: 1,
  user_name: 'Ann',
  user_username: 'ann',
  project_id: 15,
  project: PROJECT,
  repository: { name: 'Shop', homepage: PROJECT.web_url },
  commits: COMMITS.map(({ url, ...commit }) => ({
    ...commit,
    url: url.replace('github.com', 'gitlab.example'),
  })),
  total_commits_count: 4,
};

export const GITLAB_MERGE_REQUEST = {
  object_kind: 'merge_request',
  event_type: 'merge_request',
  user: USER,
  project: PROJECT,
  object_attributes: {
    id: 99,
    iid: 1,
    title: 'Faster checkout',
    state: 'opened',
    action: 'open',
    source_branch: 'fast',
    target_branch: 'main',
    url: 'https://gitlab.example/acme/shop/-/merge_requests/1',
  },
  labels: [],
  changes: {},
};

export const GITLAB_PIPELINE = {
  object_kind: 'pipeline',
  object_attributes: {
    id: 31,
    iid: 3,
    name: null,
    ref: 'main',
    tag: false,
    status: 'failed',
    detailed_status: 'failed',
    stages: ['build', 'test'],
    duration: 63,
    url: null,
  },
  merge_request: null,
  user: USER,
  project: PROJECT,
  commit: {
    id: 'bcbb5ec',
    message: 'test\n',
    title: 'test',
    url: 'https://gitlab.example/acme/shop/-/commit/bcbb5ec',
  },
  builds: [
    { id: 1, stage: 'test', name: 'unit', status: 'failed', allow_failure: false },
    { id: 2, stage: 'test', name: 'lint', status: 'failed', allow_failure: true },
    { id: 3, stage: 'build', name: 'image', status: 'success', allow_failure: false },
  ],
};

export const GITLAB_ISSUE = {
  object_kind: 'issue',
  event_type: 'issue',
  user: USER,
  project: PROJECT,
  object_attributes: {
    id: 301,
    iid: 23,
    title: 'It is slow',
    state: 'opened',
    action: 'open',
    description: 'very',
    url: 'https://gitlab.example/acme/shop/-/issues/23',
  },
};

export const GITLAB_RELEASE = {
  object_kind: 'release',
  id: 1,
  name: 'One two',
  tag: 'v1.2.0',
  description: 'notes',
  project: PROJECT,
  url: 'https://gitlab.example/acme/shop/-/releases/v1.2.0',
  action: 'create',
  assets: { count: 0, links: [], sources: [] },
};

export const GITLAB_WIKI = {
  object_kind: 'wiki_page',
  user: USER,
  project: PROJECT,
  object_attributes: {
    title: 'Home',
    action: 'update',
    url: 'https://gitlab.example/acme/shop/-/wikis/home',
  },
};
