import { shortcutOf } from '@tieline/interactive';
import { newCommandOf } from '@tieline/slash';
import { bodyReader } from '@tieline/platform/http';
import { named } from '@tieline/platform/resource';
import type { ConvertedManifest, Json } from './converted-manifest.js';
import { ManifestBotDto, ManifestDto } from './dto/manifest.dto.js';
import { MANIFEST } from './manifest.js';
import type { Manifest } from './manifest.js';
import { botMissing, scopeMissing } from './manifests.errors.js';
import { fromSlackManifest, isSlackManifest } from './slack/slack-manifest.js';

const read = bodyReader(ManifestDto);
const TOP: ReadonlySet<string> = new Set([
  ...named(MANIFEST).map(({ wire }) => wire),
  'bot',
  'commands',
  'shortcuts',
  '$schema',
]);

/**
 * Reads a manifest in Tieline's format or Slack's.
 * @throws 400 with the faulty field, under its name in Tieline's format
 */
export function readManifest(given: Json): { manifest: Manifest; warnings: string[] } {
  const { manifest: wire, warnings } = isSlackManifest(given) ? fromSlackManifest(given) : ownManifest(given);
  const body = read(wire, 'manifest');
  const manifest: Manifest = {
    app: ManifestDto.valuesOf(body),
    bot: ManifestBotDto.valuesOf(body.bot ?? new ManifestBotDto()),
    commands: (body.commands ?? []).map((one) => newCommandOf(one)),
    shortcuts: (body.shortcuts ?? []).map(shortcutOf),
  };
  requireScopes(manifest);
  return { manifest, warnings };
}

function ownManifest(given: Json): ConvertedManifest {
  const unknown = Object.keys(given).filter((name) => !TOP.has(name));
  return { manifest: given, warnings: unknown.map((name) => `${name} is unknown and is left out`) };
}

/** Without its scope, a bot could not use what the manifest sets up. @throws 400 */
function requireScopes({ app, bot, commands, shortcuts }: Manifest): void {
  const scopes = app.botScopes ?? [];
  const needs = [
    ['commands', 'commands', commands.length > 0],
    ['shortcuts', 'interactive', shortcuts.length > 0],
    ['interactive_url', 'interactive', (app.interactiveUrl ?? '') !== ''],
    ['bot.event_types', 'events', (bot.eventTypes ?? []).length > 0],
  ] as const;
  for (const [part, scope, isNeeded] of needs)
    if (isNeeded && !scopes.includes(scope)) throw scopeMissing(part, scope);
  if (scopes.length === 0 && Object.keys(bot).length > 0) throw botMissing('bot');
}
