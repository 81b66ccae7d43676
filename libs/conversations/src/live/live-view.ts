import { sseFrame } from '@tieline/live';
import type { MessageView } from '../events/shown-message.js';
import type { LiveEvent } from './live-events.js';
import { withMetadata } from '../ports/metadata-visibility.js';
import type { MetadataVisibility, Viewer, VisibleMetadata } from '../ports/metadata-visibility.js';

/** An event as one group of viewers sees it. */
export class LiveView {
  private bytes: Buffer | undefined;

  constructor(readonly event: LiveEvent) {}

  /** The event's line on a stream; made on first use, then shared by all who see the same. */
  get frame(): Buffer {
    return (this.bytes ??= sseFrame(this.event));
  }
}

/**
 * One event in all the forms in which somebody sees it. Most events look the same to everybody and
 * are serialised once; of a message with metadata (buttons) each viewer's part is asked for, and
 * once per distinct part it is serialised.
 */
export class LiveViews {
  private readonly shared: LiveView;
  private readonly byMetadata = new Map<string | undefined, LiveView>();
  private metadataFor: VisibleMetadata | undefined;

  constructor(
    private readonly event: LiveEvent,
    private readonly visibility: MetadataVisibility,
  ) {
    this.shared = new LiveView(event);
  }

  /** The event as this viewer sees it. */
  of(viewer: Viewer): LiveView {
    const message = this.event as LiveEvent & MessageView;
    if (message.metadata_json === undefined) return this.shared;
    this.metadataFor ??= this.visibility.of(message.metadata_json, message);
    const visible = this.metadataFor(viewer);
    if (visible === message.metadata_json) return this.shared;
    let view = this.byMetadata.get(visible);
    if (!view) this.byMetadata.set(visible, (view = new LiveView(withMetadata(message, visible))));
    return view;
  }
}
