/**
 * Builds the message of a plan. Its elements store all selections, and nothing is stored elsewhere.
 */
export const STAGES = { test: 'the test stage', live: 'production' };
const TASKS = { tests: 'Tests are green', notes: 'Notes are written', backup: 'Backup is made' };
const REGIONS = { eu: 'Europe', us: 'America', asia: 'Asia' };
export const RISKS = { low: 'Low', high: 'High' };
const HANDBOOK = 'https://example.com/handbook/releases';

/**
 * @returns `text` and `metadata_json` of a plan: { version, stage, day, time, regions, tasks,
 * owner, room, risk }
 */
export function planMessage(plan) {
  return { text: textOf(plan), metadata_json: JSON.stringify({ version: 1, blocks: blocksOf(plan) }) };
}

/**
 * Reads the plan from a message: the selections are in `initial`, the rest is in a button's data.
 */
export function planIn(metadataJson) {
  const elements = JSON.parse(metadataJson).blocks.flatMap((block) => block.elements ?? []);
  const chosen = elements
    .filter(({ initial }) => initial !== undefined)
    .map(({ action_id: id, initial }) => [id.slice('plan-'.length), initial]);
  const { data } = elements.find(({ action_id: id }) => id === 'plan-explain');
  return { ...JSON.parse(data), ...Object.fromEntries(chosen) };
}

/** Whether all tasks are done. */
export const isReady = ({ tasks = [] }) => tasks.length === Object.keys(TASKS).length;

function textOf({ version, stage, day, time, regions, tasks = [], owner, risk }) {
  return [
    `Plan of ${version} for ${STAGES[stage]}`,
    day && `on ${[day, time].filter(Boolean).join(' ')}`,
    regions && `in ${regions.map((region) => REGIONS[region]).join(', ')}`,
    owner && `by <@${owner}>`,
    risk && `${risk} risk`,
    `${tasks.length} of ${Object.keys(TASKS).length} tasks done`,
  ]
    .filter(Boolean)
    .join(', ');
}

function blocksOf(plan) {
  const element = (type, name, more) => ({
    type,
    action_id: `plan-${name}`,
    ...more,
    ...(plan[name] !== undefined && { initial: plan[name] }),
  });
  const { version, stage } = plan;
  const confirm = { title: 'High risk?', text: 'Someone must watch it.' };
  return [
    actions(
      element('date_picker', 'day', { placeholder: 'Day' }),
      element('time_picker', 'time', { placeholder: 'Time' }),
      element('multi_select', 'regions', { options: options(REGIONS), min_selected: 1 }),
      element('checkboxes', 'tasks', { options: options(TASKS) }),
      element('radio', 'risk', { options: options(RISKS), confirm }),
    ),
    actions(
      element('user_select', 'owner', { placeholder: 'Who does it' }),
      element('conversation_select', 'room', { placeholder: 'Where to announce it' }),
      element('overflow', 'more', { options: options({ people: 'Who is here?', withdraw: 'Withdraw' }) }),
      {
        type: 'button',
        action_id: 'plan-explain',
        text: 'Explain',
        data: JSON.stringify({ version, stage }),
      },
      { type: 'button', action_id: 'plan-handbook', text: 'Handbook', url: HANDBOOK },
    ),
    actions({ type: 'button', action_id: 'plan-edit', text: 'Change in a form' }),
  ];
}

const actions = (...elements) => ({ type: 'actions', elements });
const options = (labels) => Object.entries(labels).map(([value, label]) => ({ value, label }));
