/** The form that changes a plan. Tieline validates the values, and then the bot checks them. */
import { planMessage, RISKS, STAGES } from './plan-message.mjs';
import { VERSIONS } from './versions.mjs';

const options = (labels) => Object.entries(labels).map(([value, label]) => ({ value, label }));

/** @returns the form with the current values of the plan */
export function openForm({ version, stage, day, risk }) {
  return {
    validate: true,
    title: `Change the plan of ${version}`,
    submit_label: 'Change',
    notify_on_close: true,
    fields: [
      {
        id: 'version',
        type: 'select',
        label: 'Version',
        required: true,
        options_from: 'bot',
        initial: version,
      },
      {
        id: 'stage',
        type: 'radio',
        label: 'Where to',
        required: true,
        options: options(STAGES),
        initial: stage,
      },
      { id: 'day', type: 'date', label: 'Day', min: '2026-01-01', ...(day && { initial: day }) },
      { id: 'risk', type: 'radio', label: 'Risk', options: options(RISKS), ...(risk && { initial: risk }) },
    ],
  };
}

/**
 * Handles the submitted values, which Tieline has validated. The bot checks the version. High risk
 * requires a person to watch the release, in a second form on top that contains the values of the
 * first.
 */
export function submitForm(ctx, plan) {
  const { values } = ctx;
  if (values.watcher)
    return ctx.update(planMessage({ ...plan, ...JSON.parse(ctx.privateMetadata), owner: values.watcher }));
  if (!VERSIONS.includes(values.version)) return ctx.errors({ version: 'There is no such version.' });
  if (values.risk === 'high') return ctx.push(watcherForm(values));
  return ctx.update(planMessage({ ...plan, ...values }));
}

function watcherForm(values) {
  return {
    validate: true,
    title: 'Who watches it?',
    private_metadata: JSON.stringify(values),
    fields: [{ id: 'watcher', type: 'user', label: 'Person', required: true }],
  };
}
