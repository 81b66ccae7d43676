/**
 * `/release 1.4.2`: the bot asks where a release is to go, and lets people reject it. How questions
 * come and answers go is no business of the handlers.
 */
const STAGES = { test: 'the test stage', live: 'production' };
const MAX_REASON = 500;
/** A form that follows a form is no answer to a callback. */
const CAN_CHAIN_MODALS = !['callback', 'push'].includes(process.env.TIELINE_VIA);

/**
 * Releases being rejected, by message and person, because a submitted modal only returns its
 * fields. Kept in memory: a person who fills in a form during a restart has to start again. The
 * number is bounded because not every form is submitted.
 */
const rejections = new Map();
const MAX_REJECTIONS = 1000;

/**
 * The same click may come twice, so repeating an answer must be harmless. `data` comes back
 * unchanged, because Tieline has signed it. A select has no data, so its options carry what is
 * needed.
 */
export function release(bot) {
  const settings = { description: 'Asks where a release is to go', usage_hint: '<version>' };
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
  // The person reads that the request was passed on. The card follows.
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

/**
 * Where forms can follow forms the second question is one; else it is a new message with buttons.
 */
function submitted(ctx) {
  const rejection = rejections.get(placeOf(ctx));
  if (!rejection) return ctx.ephemeral('I have forgotten what this was about. Please press Reject again.');
  // Both modals tell of the action that opened the first one: their fields tell them apart.
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

/** Only the person's client has checked the values of this form. */
function reasonOf({ reason }) {
  return typeof reason === 'string' ? [...reason.trim()].slice(0, MAX_REASON).join('') : '';
}

const placeOf = ({ messageId, userId }) => `${messageId} ${userId}`;
const verdict = ({ version, reason, again }) =>
  `Release ${version} is rejected: ${reason} (${again ? 'it is built again' : 'dropped'})`;
/** The message says how it ended, and its buttons go. */
const done = (text) => ({ text, blocks: [] });
const reject = (version) => ({ ...button('reject', 'Reject', { version }), style: 'danger' });

function button(actionId, text, data) {
  return { type: 'button', action_id: actionId, text, data: JSON.stringify(data) };
}

function modal(title, ...fields) {
  return { title, fields, submit_label: 'Send' };
}

const actions = (...elements) => [{ type: 'actions', elements }];
