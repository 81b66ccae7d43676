import { Injectable } from '@nestjs/common';
import { deliveryModeOf } from '@tieline/bots';
import type { Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { SecretBox } from '@tieline/signing';
import { InteractiveSettings } from '../../interactive.settings.js';
import type { ComponentKeys } from './component-keys.js';
import { hasOnlyLinks, signComponents } from '../components.js';
import type { Signing } from '../components.js';
import { readExact } from '../exact-json.js';
import { hasInteractiveBlock } from '../interactive-schema.js';
import { ensureConfig, holdClickedBot, holdComponentState } from '../../config/interactive-config.queries.js';
import { interactiveBlocksUndeliverable } from '../../interactive.errors.js';
import type { Metadata } from '../metadata.js';

/** Signs the elements of interactive blocks whenever such blocks are sent or edited. */
@Injectable()
export class ComponentSigner {
  constructor(
    private readonly box: SecretBox,
    private readonly settings: InteractiveSettings,
  ) {}

  /** Lifetime of tokens. */
  get ttlSeconds(): number {
    return this.settings.tokenTtlSeconds;
  }

  /**
   * Signs every button and select in a bot's metadata, in the transaction that stores it and before
   * the conversation is locked. Metadata without interactive blocks is stored byte for byte as
   * sent.
   * @returns the JSON text to store
   * @throws 400 `interactive blocks need a callback_url or poll mode` if clicks could not be
   *   delivered to the bot
   */
  async sign(
    tx: Tx,
    { spaceId, botId }: Pick<BotPrincipal, 'spaceId' | 'botId'>,
    metadata: Metadata,
  ): Promise<string> {
    if (!metadata.isInteractive) return metadata.json;
    const keys = await this.keysOf(tx, spaceId, botId, hasOnlyLinks(metadata.value));
    const { value, write } = readExact(metadata.json, metadata.value);
    return write(signComponents(value, this.signing(keys, spaceId, botId)));
  }

  /**
   * Prepares new tokens for the metadata of a message whose text is edited. Changes nothing if
   * clicks could not be delivered to the bot.
   * @returns a function from the stored JSON text to the one to store
   */
  async renewal(
    tx: Tx,
    { spaceId, botId }: Pick<BotPrincipal, 'spaceId' | 'botId'>,
  ): Promise<(metadataJson: string) => string> {
    const state = await holdComponentState(tx, this.box, spaceId, botId);
    const isReachable = state?.callback || (state && (await deliveryModeOf(tx, spaceId, botId)) === 'poll');
    if (!isReachable) return (metadataJson) => metadataJson;
    const signing = this.signing(state.keys, spaceId, botId);
    return (metadataJson) => {
      const { value, write } = readExact(metadataJson);
      return hasInteractiveBlock(value) ? write(signComponents(value, signing)) : metadataJson;
    };
  }

  private signing(keys: ComponentKeys, spaceId: string, botId: string): Signing {
    return { keys, spaceId, botId, expiresAt: Date.now() + this.settings.tokenTtlSeconds * 1000 };
  }

  /**
   * Returns the bot's keys. A bot in poll mode, of an app with an address for clicks, or with link
   * buttons only needs no configuration:
   * its internal key is created with its first buttons.
   */
  private async keysOf(
    tx: Tx,
    spaceId: string,
    botId: string,
    mayBeUnreachable: boolean,
  ): Promise<ComponentKeys> {
    const state = await holdComponentState(tx, this.box, spaceId, botId);
    if (state?.callback) return state.keys;
    const bot = mayBeUnreachable ? undefined : await holdClickedBot(tx, spaceId, botId);
    if (!mayBeUnreachable && bot?.mode !== 'poll' && !bot?.hasAppUrl) throw interactiveBlocksUndeliverable();
    return state?.keys ?? this.createKeys(tx, spaceId, botId);
  }

  private async createKeys(tx: Tx, spaceId: string, botId: string): Promise<ComponentKeys> {
    await ensureConfig(tx, this.box, spaceId, botId);
    const state = await holdComponentState(tx, this.box, spaceId, botId);
    if (!state) throw new Error('the row that was just created is missing');
    return state.keys;
  }
}
