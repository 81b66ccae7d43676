/**
 * What a newcomer sees when everything runs: addresses, a link that opens the console as the owner
 * of the first space, and commands that post a first message. They need curl and node only.
 * @param {{ api: string, publicUrl: string, link: string | undefined, linkFile: string | undefined,
 * tokenFile: string | undefined, logDir: string }} options
 * @returns {string}
 */
export function welcome({ api, publicUrl, link, linkFile, tokenFile, logDir }) {
  const token = tokenFile ? `"$(cat '${tokenFile}')"` : '"$OPERATOR_TOKEN"';
  return `
Tieline is ready
${link ? FIRST_LINK(linkFile ? `in the file ${linkFile}` : link) : ''}
  console         ${publicUrl}
  API docs        ${publicUrl}/api/docs
  operator token  ${tokenFile ?? 'the one in OPERATOR_TOKEN'}
  logs            ${logDir}

Your first message without a browser, in a space of its own: paste this into another terminal.

  API=${api}/api/v1
  OPERATOR=${token}
  field() { node -p "JSON.parse(require('fs').readFileSync(0, 'utf8')).$1"; }
  as() { printf 'Authorization: Bearer %s' "$1"; }
  post() { as "$2" | curl -sS -X POST "$API/$1" -H @- -H 'Content-Type: application/json' -d "$3"; }

  OWNER=$(post operator/spaces "$OPERATOR" '{"name":"Acme"}' | field owner_token)
  BOT=$(post admin/bots "$OWNER" '{"display_name":"First bot"}')
  BOT_ID=$(echo "$BOT" | field bot.id); TIELINE_TOKEN=$(echo "$BOT" | field token)
  CHANNEL=$(post client/conversations "$OWNER" '{"name":"general","is_public":true,"member_ids":["'$BOT_ID'"]}' | field conversation.id)
  post bot/messages "$TIELINE_TOKEN" '{"conversation_id":"'$CHANNEL'","content":"Hello from the first bot"}'; echo
  as "$OWNER" | curl -sS "$API/channels/$CHANNEL/messages" -H @-; echo

Ctrl-C stops everything.
`;
}

/** @param {string} link */
const FIRST_LINK = (link) => `
Open this to begin. It signs you in as the owner of a first space, works once, and for seven days:

  ${link}
`;
