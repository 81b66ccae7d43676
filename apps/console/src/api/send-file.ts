import { ApiFailure } from './failure.js';

/** Upload address of an upload session. */
interface UploadTarget {
  upload_url: string;
  method: string;
  headers: Readonly<Record<string, unknown>>;
}

interface SendFileOptions {
  signal: AbortSignal;
  /** Progress from 0 to 1. */
  onProgress: (part: number) => void;
}

/**
 * Uploads a file to its store, possibly on another server, without cookie and CSRF token. Uses
 * XMLHttpRequest because `fetch` does not report upload progress.
 *
 * @throws ApiFailure; AbortError when canceled
 */
export function sendFile(
  target: UploadTarget,
  file: Blob,
  { signal, onProgress }: SendFileOptions,
): Promise<void> {
  const request = new XMLHttpRequest();
  request.open(target.method, target.upload_url);
  for (const [name, value] of Object.entries(target.headers)) request.setRequestHeader(name, String(value));
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    onProgress(total > 0 ? loaded / total : 0),
  );
  return new Promise((resolve, reject) => {
    const stop = () => request.abort();
    signal.addEventListener('abort', stop, { once: true });
    request.addEventListener('loadend', () => {
      signal.removeEventListener('abort', stop);
      if (signal.aborted) return reject(new DOMException('cancelled', 'AbortError'));
      if (request.status >= 200 && request.status < 300) return resolve();
      if (request.status === 0) return reject(new ApiFailure(0, 'network', 'no answer'));
      reject(new ApiFailure(request.status, 'upload_refused', `HTTP ${request.status}`));
    });
    request.send(file);
  });
}
