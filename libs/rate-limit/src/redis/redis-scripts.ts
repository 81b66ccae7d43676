/**
 * Counts one call. KEYS: one counter per rule. ARGV: 0 for one hit of each rule, or the hits wanted
 * of the only rule; then limit and window in milliseconds of each rule. Returns {granted, position
 * of the refusing rule or 0, milliseconds to wait}.
 */
export const CONSUME_SCRIPT = `
local wanted = tonumber(ARGV[1])
local grant = math.max(wanted, 1)
local hits = {}
local refusing, wait = 0, 0
for i, key in ipairs(KEYS) do
  hits[i] = tonumber(redis.call('GET', key) or '0')
  local room = math.max(tonumber(ARGV[2 * i]) - hits[i], 0)
  if room < grant then
    if wanted > 0 then
      grant = room
    else
      local left = redis.call('PTTL', key)
      if left < 0 then left = tonumber(ARGV[2 * i + 1]) end
      if refusing == 0 or left > wait then refusing, wait = i, left end
    end
  end
end
if refusing > 0 or grant == 0 then return {0, refusing, wait} end
for i, key in ipairs(KEYS) do
  if redis.call('INCRBY', key, grant) == grant then redis.call('PEXPIRE', key, ARGV[2 * i + 1]) end
end
return {grant, 0, 0}
`;

/**
 * Refunds one hit of each rule, unless it belongs to an earlier window. KEYS: one counter per rule.
 * ARGV: age of the hits in milliseconds; then the window of each rule.
 */
export const REFUND_SCRIPT = `
local age = tonumber(ARGV[1])
for i, key in ipairs(KEYS) do
  local left = redis.call('PTTL', key)
  if left > 0 and tonumber(ARGV[i + 1]) - left >= age then
    if redis.call('DECR', key) <= 0 then redis.call('DEL', key) end
  end
end
return 0
`;
