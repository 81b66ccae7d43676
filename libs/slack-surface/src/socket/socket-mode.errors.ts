import { ApiError } from '@tieline/platform/http';

/** 426 for a request of a socket that is not a WebSocket handshake. */
export const socketModeUpgrade = (): ApiError =>
  new ApiError(426, 'upgrade_required', 'a WebSocket handshake is required', {
    headers: { upgrade: 'websocket' },
  });
