/**
 * `/release 1.4.2`: the bot asks where to deploy a release, and lets people reject it. The handlers
 * do not depend on how the bot receives activities.
 */
const STAGES = { test: 'the test stage', live: 'production' };
const MAX_REASON = 500;
/** A callback for a form cannot be answered with another form. */
const CAN_CHAIN_MODALS = !['callback', 'push'].includes(process.env.TIELINE_VIA);

/**
 * Rejections in progress, by message and person, because a submitted modal contains only its
 * fields. Kept in memory: after a restart the person must start again. Limited in number, because
 * some forms are never submitted.
 */
const rejections = new Map();
const MAX_REJECTIONS = 1000;

/**
 * Registers the handlers. A click may arrive twice, so repeating an answer has no effect. `data` is
 * returned unchanged, because Tieline signs it. A select has no data, so its options contain the
 * values.
 */
export function release(bot) {
  const settings = { description: 'Asks where to deploy a release', usage_hint: '<version>' };
  bot.command('/release', settings, ask);
  bot.select('stage', (ctx) => ctx.update(choice(...ctx.value.split(' '))));
  bot.click('deploy', (ctx) => {
    const { version, stage } = JSON.parse(ctx.data);
    return ctx.update(done(`Release ${version} is on its way to ${STAGES[stage]}.`));
  });
  bot.click('notes', (ctx) =>
    ctx.ephemeral(`Release ${JSON.parse(ctx.data).version} mends what the last one broke.`),
  );
  bot.click('reject', (ctx) => {
    remember(ctx, JSON.parse(ctx.data));
    const reason = { id: 'reason', type: 'textarea', label: 'Why?', required: true };
    return ctx.openModal(modal('Reject the release', reason));
  });
  bot.submit('reject', submitted);
  bot.click('again', (ctx) => ctx.update(done(verdict({ ...JSON.parse(ctx.data), again: true }))));
  bot.click('drop', (ctx) => ctx.update(done(verdict({ ...JSON.parse(ctx.data), again: false }))));
}

async function ask(ctx) {
  const version = ctx.text.trim();
  if (!/^[\w.-]{1,40}$/.test(version)) return ctx.ephemeral('Usage: /release <version>');
  const options = Object.entries(STAGES).map(([stage, label]) => ({ value: `${stage} ${version}`, label }));
  const stage = { type: 'select', action_id: 'stage', placeholder: 'Where to', options };
  // The person sees that the answer comes later, and then the message appears.
  await ctx.later();
  return ctx.reply({
    text: `Release ${version}: where to?`,
    blocks: actions(stage, button('notes', 'What is in it?', { version }), reject(version)),
  });
}

function choice(stage, version) {
  const confirm = {
    title: 'Deploy?',
    text: `Release ${version} goes to ${STAGES[stage]}.`,
    confirm_label: 'Deploy',
    cancel_label: 'Not yet',
  };
  const deploy = { ...button('deploy', 'Deploy', { version, stage }), style: 'primary', confirm };
  return {
    text: `Release ${version}: to ${STAGES[stage]}?`,
    blocks: actions(deploy, reject(version)),
  };
}

/** The second question is a form if forms can be chained, else a new message with buttons. */
function submitted(ctx) {
  const rejection = rejections.get(placeOf(ctx));
  if (!rejection) return ctx.ephemeral('I no longer know what this was about. Please press Reject again.');
  // Both modals have the action that opened the first one. Their fields differ.
  const isSecond = ctx.values.reason === undefined && rejection.reason !== undefined;
  if (isSecond) return ctx.update(done(verdict({ ...rejection, again: ctx.values.again === true })));
  const reason = reasonOf(ctx.values);
  if (!reason) return ctx.ephemeral('A rejection needs a reason.');
  const data = { version: rejection.version, reason };
  if (CAN_CHAIN_MODALS) {
    remember(ctx, data);
    const again = { id: 'again', type: 'checkbox', label: 'Build it again', required: false };
    return ctx.openModal(modal('What next?', again));
  }
  const next = actions(button('again', 'Build it again', data), button('drop', 'Drop it', data));
  return ctx.reply({ text: `Release ${data.version} is rejected: ${reason}`, blocks: next });
}

function remember(ctx, rejection) {
  rejections.set(placeOf(ctx), rejection);
  if (rejections.size > MAX_REJECTIONS) rejections.delete(rejections.keys().next().value);
}

/** Validates the reason, because the form has no `validate`. */
function reasonOf({ reason }) {
  return typeof reason === 'string' ? [...reason.trim()].slice(0, MAX_REASON).join('') : '';
}

const placeOf = ({ messageId, userId }) => `${messageId} ${userId}`;
const verdict = ({ version, reason, again }) =>
  `Release ${version} is rejected: ${reason} (${again ? 'it is built again' : 'dropped'})`;
/** Builds the final message without buttons. */
const done = (text) => ({ text, blocks: [] });
const reject = (version) => ({ ...button('reject', 'Reject', { version }), style: 'danger' });

function button(actionId, text, data) {
  return { type: 'button', action_id: actionId, text, data: JSON.stringify(data) };
}

function modal(title, ...fields) {
  return { title, fields, submit_label: 'Send' };
}

const actions = (...elements) => [{ type: 'actions', elements }];
