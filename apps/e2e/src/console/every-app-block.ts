const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const option = (value: string, description?: string) => ({
  text: plain(value),
  value: value.toLowerCase(),
  ...(description && { description: plain(description) }),
});
const options = ['Alpha', 'Beta', 'Gamma'].map((value) => option(value));
const rich = (...elements: object[]) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements }],
});
const words = (text: string, style?: object) => ({ type: 'text', text, ...(style && { style }) });
const cell = (text: string) => ({ type: 'raw_text', text });

/** Blocks that only show something, one of every type. */
export const SHOWN_BLOCKS = [
  { type: 'header', text: plain('Release 4.2') },
  {
    type: 'section',
    text: mrkdwn('*Ready* to go, see <https://example.com|the notes>'),
    fields: [mrkdwn('*Branch*\nmain'), plain('Tests: 120')],
  },
  { type: 'divider' },
  { type: 'context', elements: [mrkdwn('by _nightly_')] },
  { type: 'markdown', text: '## Summary\n\n- **one**\n- two' },
  {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          words('Bold', { bold: true }),
          words(' and '),
          words('struck', { strike: true }),
          words(' '),
          { type: 'link', url: 'https://example.com', text: 'link' },
          words(' '),
          { type: 'emoji', name: 'wave', unicode: '1f44b' },
          { type: 'broadcast', range: 'here' },
        ],
      },
      {
        type: 'rich_text_list',
        style: 'ordered',
        elements: [
          { type: 'rich_text_section', elements: [words('first')] },
          { type: 'rich_text_section', elements: [words('second')] },
        ],
      },
      {
        type: 'rich_text_list',
        style: 'bullet',
        indent: 1,
        elements: [{ type: 'rich_text_section', elements: [words('nested')] }],
      },
      { type: 'rich_text_quote', elements: [words('quoted')] },
      { type: 'rich_text_preformatted', elements: [words('npm test')] },
    ],
  },
  {
    type: 'table',
    column_settings: [{}, { align: 'right' }],
    rows: [
      [cell('Service'), cell('Errors')],
      [cell('api'), { type: 'raw_number', value: 3, text: '3' }],
      [rich(words('worker', { bold: true })), cell('0')],
    ],
  },
  {
    type: 'data_table',
    caption: 'Latency',
    row_header_column_index: 0,
    page_size: 2,
    rows: [
      [cell('Region'), cell('ms')],
      ...[120, 45, 300].map((value, index) => [
        cell(`Region ${index}`),
        { type: 'raw_number', value, text: String(value) },
      ]),
    ],
  },
  {
    type: 'card',
    title: mrkdwn('Invoice 17'),
    subtitle: mrkdwn('Acme'),
    body: mrkdwn('Due *tomorrow*'),
    actions: [{ type: 'button', action_id: 'pay', text: plain('Pay') }],
    block_id: 'card',
  },
  {
    type: 'carousel',
    elements: ['Paris', 'Rome', 'Oslo', 'Lima'].map((title) => ({
      type: 'card',
      title: mrkdwn(title),
      body: mrkdwn('A city'),
    })),
  },
  {
    type: 'container',
    title: plain('Details'),
    is_collapsible: true,
    default_collapsed: true,
    child_blocks: [{ type: 'section', text: plain('Inside the container') }],
  },
  { type: 'alert', level: 'warning', text: mrkdwn('The disk is *almost* full.') },
  {
    type: 'plan',
    title: 'Plan',
    tasks: [
      { type: 'task_card', task_id: '1', title: 'Read the logs', status: 'complete' },
      {
        type: 'task_card',
        task_id: '2',
        title: 'Find the cause',
        status: 'in_progress',
        details: rich(words('Looking at traces')),
        sources: [{ type: 'url', url: 'https://example.com/trace', text: 'Trace 7' }],
      },
    ],
  },
  {
    type: 'video',
    title: plain('Tour'),
    title_url: 'https://example.com/tour',
    video_url: 'https://example.com/tour.mp4',
    thumbnail_url: 'https://example.com/tour.png',
    alt_text: 'A tour',
  },
  { type: 'hologram', text: plain('A block of the future') },
];

/** Blocks with interactive elements, one of every type that messages can have. */
export const INTERACTIVE_BLOCKS = [
  {
    type: 'section',
    block_id: 'section',
    text: mrkdwn('Severity of the incident'),
    accessory: {
      type: 'static_select',
      action_id: 'severity',
      placeholder: plain('Severity'),
      option_groups: [
        { label: plain('Usual'), options: [option('Low'), option('High', 'Pages someone')] },
        { label: plain('Rare'), options: [option('Fatal')] },
      ],
    },
  },
  {
    type: 'actions',
    block_id: 'buttons',
    elements: [
      { type: 'button', action_id: 'go', text: plain('Go ahead'), style: 'primary', value: 'yes' },
      {
        type: 'button',
        action_id: 'drop',
        text: plain('Drop'),
        style: 'danger',
        confirm: {
          title: plain('Drop it?'),
          text: mrkdwn('It is *gone* for good.'),
          confirm: plain('Drop it'),
          deny: plain('Keep it'),
        },
      },
      { type: 'button', action_id: 'docs', text: plain('Docs'), url: 'https://example.com/docs' },
      { type: 'overflow', action_id: 'rest', options },
    ],
  },
  {
    type: 'actions',
    block_id: 'moments',
    elements: [
      { type: 'datepicker', action_id: 'day', placeholder: plain('Day') },
      { type: 'timepicker', action_id: 'hour', placeholder: plain('Hour') },
      { type: 'datetimepicker', action_id: 'when' },
    ],
  },
  {
    type: 'actions',
    block_id: 'lists',
    elements: [
      { type: 'users_select', action_id: 'who', placeholder: plain('Who') },
      { type: 'conversations_select', action_id: 'where', placeholder: plain('Where') },
      { type: 'channels_select', action_id: 'channel', placeholder: plain('Channel') },
      { type: 'external_select', action_id: 'found', placeholder: plain('Ticket'), min_query_length: 2 },
      {
        type: 'multi_static_select',
        action_id: 'some',
        placeholder: plain('Some'),
        options,
        max_selected_items: 2,
      },
      { type: 'multi_users_select', action_id: 'people', placeholder: plain('People') },
    ],
  },
  {
    type: 'section',
    block_id: 'ticks',
    text: mrkdwn('Checks'),
    accessory: {
      type: 'checkboxes',
      action_id: 'checked',
      options: [option('Lint', 'Takes a minute'), option('Test')],
      initial_options: [option('Test')],
    },
  },
  {
    type: 'section',
    block_id: 'radios',
    text: mrkdwn('Color'),
    accessory: { type: 'radio_buttons', action_id: 'color', options, initial_option: option('Beta') },
  },
  {
    type: 'context_actions',
    block_id: 'opinion',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: 'feedback',
        positive_button: { text: plain('Good'), value: 'good' },
        negative_button: { text: plain('Bad'), value: 'bad' },
      },
      { type: 'icon_button', action_id: 'remove', icon: 'trash', text: plain('Remove') },
    ],
  },
];
