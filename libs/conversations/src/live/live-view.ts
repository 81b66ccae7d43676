import { sseFrame } from '@tieline/live';
import type { MessageView } from '../events/chat-event.js';
import type { LiveEvent } from './live-events.js';
import { messageFor } from '../messages/message-visibility.js';
import type { Viewer } from '../messages/message-visibility.js';

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
 * One event in all the forms in which somebody sees it. Most events look the same to everybody and are serialised once;
 * of a message with metadata (buttons) each viewer's part is asked for, and once per distinct part it is serialised.
 */
export class LiveViews {
  private readonly shared: LiveView;
  private byMetadata: Map<string | undefined, LiveView> | undefined;

  constructor(private readonly event: LiveEvent) {
    this.shared = new LiveView(event);
  }

  /** The event as this viewer sees it. */
  of(viewer: Viewer): LiveView {
    if (this.event.metadata_json === undefined) return this.shared;
    const visible = messageFor(this.event as LiveEvent & MessageView, viewer);
    if (visible.metadata_json === this.event.metadata_json) return this.shared;
    this.byMetadata ??= new Map();
    let view = this.byMetadata.get(visible.metadata_json);
    if (!view)
      this.byMetadata.set(visible.metadata_json, (view = new LiveView(visible as LiveEvent & MessageView)));
    return view;
  }
}
