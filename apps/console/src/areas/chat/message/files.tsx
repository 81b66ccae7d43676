import { getFileDownloadUrlAsPerson } from '@tieline/sdk/api';
import type { FileRecord, MessageView } from '@tieline/sdk/api';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button as AriaButton } from 'react-aria-components';
import { useApi } from '../../../api/api-context.js';
import { usePreferences } from '../../../language/preferences-context.js';
import { useWords } from '../../../language/use-words.js';
import { formatBytes } from '../../../ui/data/formats.js';
import { Paper } from '../../../ui/icons.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { blockWords } from '../blocks/words.js';
import styles from './files.module.css';
import message from './message.module.css';

/** Download links expire after a few minutes and are requested again before. */
const LINK_MS = 120_000;

/**
 * Files of a message with download links. Shows images, audio and video where the browser supports
 * them.
 */
export function Files({ of }: { of: MessageView }) {
  const words = useWords(blockWords);
  const files = of.attachments as unknown as FileRecord[];
  if (of.attachment_status === 'pending') return <p className={styles.note}>{words.filePending}</p>;
  if (of.attachment_status === 'failed') return <p className={styles.note}>{words.fileFailed}</p>;
  if (files.length === 0) return null;
  return (
    <ul className={styles.files}>
      {files.map((file) => (
        <li key={file.file_id}>
          <OneFile file={file} />
        </li>
      ))}
    </ul>
  );
}

function OneFile({ file }: { file: FileRecord }) {
  const words = useWords(blockWords);
  const { language } = usePreferences();
  const client = useApi();
  const toast = useToast();
  const link = useQuery({
    queryKey: ['chat', 'file', file.file_id],
    queryFn: () => getFileDownloadUrlAsPerson({ client, path: { file_id: file.file_id } }),
    enabled: file.file_type !== 'document',
    staleTime: LINK_MS,
  });
  const download = useMutation({
    mutationFn: () => getFileDownloadUrlAsPerson({ client, path: { file_id: file.file_id } }),
    onSuccess: ({ download_url: url }) => window.location.assign(url),
    onError: (failure) => toast({ kind: 'bad', failure }),
  });
  const source = link.data?.download_url;
  return (
    <div className={styles.file}>
      {source !== undefined && file.file_type === 'image' && (
        <img
          src={source}
          alt={file.file_name}
          loading="lazy"
          {...(file.width > 0 && { width: file.width, height: file.height })}
        />
      )}
      {source !== undefined && file.file_type === 'audio' && (
        <audio controls src={source} aria-label={file.file_name} />
      )}
      {source !== undefined && file.file_type === 'video' && (
        <video controls src={source} aria-label={file.file_name} />
      )}
      <AriaButton className={styles.line} onPress={() => download.mutate()}>
        <Paper size={18} />
        <span className={message.hidden}>{words.download}</span>
        <span className={styles.name}>{file.file_name}</span>
        <span className={styles.size}>{formatBytes(language, file.file_size)}</span>
      </AriaButton>
    </div>
  );
}
