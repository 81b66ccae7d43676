import { Global, Injectable, Module } from '@nestjs/common';
import { MetadataVisibility } from '@tieline/conversations';
import type { MessageView, Viewer, VisibleMetadata } from '@tieline/conversations';
import { mapComponents, visibleTo, withoutIds } from './components.js';
import { readExact } from './exact-json.js';
import { hasInteractiveBlock, INTERACTIVE_TYPES } from './interactive-schema.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Interactive metadata is stored by JSON.stringify, without spaces, so one of these texts must
 * occur in it. A match can be a false positive.
 */
const MAYBE_INTERACTIVE = INTERACTIVE_TYPES.map((type) => `"type":"${type}"`);

/**
 * The views of a message's metadata. People see the elements visible to them, with `signed_token`
 * and without the ids of who may see them. The bot that sent it sees all elements without
 * `signed_token`. Other bots see the elements that everyone may see, without either field.
 */
class MetadataViews {
  private readonly value: Fields;
  private readonly write: (value: unknown) => string;
  private readonly namedIds = new Set<string>();
  private readonly cache = new Map<string, string>();
  private readonly isInteractive: boolean;

  constructor(readonly stored: string) {
    ({ value: this.value, write: this.write } = readExact(stored));
    this.isInteractive = hasInteractiveBlock(this.value);
    mapComponents(this.value, (element) => {
      for (const id of visibleTo(element)) this.namedIds.add(id);
      return element;
    });
  }

  /**
   * Returns the view of one viewer. Viewers who are not named in any element share one cached view.
   */
  for({ type, id }: Viewer, isOwner: boolean): string {
    if (!this.isInteractive) return this.stored;
    if (isOwner) return this.cached('owner', withoutToken);
    const name = this.namedIds.has(id) ? id : '';
    return this.cached(`${type}:${name}`, (element) => {
      const ids = visibleTo(element);
      if (ids.length > 0 && !ids.includes(name)) return undefined;
      const shown = withoutIds(element);
      return type === 'user' ? shown : withoutToken(shown);
    });
  }

  private cached(form: string, change: (element: Fields) => Fields | undefined): string {
    let view = this.cache.get(form);
    if (view === undefined) this.cache.set(form, (view = this.write(mapComponents(this.value, change))));
    return view;
  }
}

/**
 * Filters a message's stored metadata for each viewer. Metadata without interactive blocks is
 * returned unchanged.
 */
@Injectable()
export class VisibleComponents extends MetadataVisibility {
  override of(
    stored: string,
    { author_id, author_type }: Pick<MessageView, 'author_id' | 'author_type'>,
  ): VisibleMetadata {
    if (!MAYBE_INTERACTIVE.some((part) => stored.includes(part))) return () => stored;
    const views = new MetadataViews(stored);
    return (viewer) =>
      views.for(viewer, viewer.type === 'bot' && author_type === 'bot' && author_id === viewer.id);
  }
}

/**
 * Global because it provides a port of the chat core, a lower lib that cannot import this one.
 */
@Global()
@Module({
  providers: [{ provide: MetadataVisibility, useClass: VisibleComponents }],
  exports: [MetadataVisibility],
})
export class MetadataVisibilityModule {}

function withoutToken({ signed_token: _, ...shown }: Fields): Fields {
  return shown;
}
