import { bool, int, oneOf, optionalUrl, settings, text } from '@tieline/platform/config';

const DRIVER = oneOf('STORAGE_DRIVER', ['local', 's3'], {
  default: 'local',
  text: '`local`: in `DATA_DIR/files`; `s3`: in a store that speaks S3; see [File storage](install.md#file-storage)',
});
const WITH_S3 = { setting: DRIVER, is: 's3' };

/** Where the bytes of files are kept. */
export class StorageSettings extends settings('Files', {
  driver: DRIVER,
  s3Endpoint: optionalUrl('S3_ENDPOINT', {
    protocols: ['http:', 'https:'],
    shown: 'unset: AWS',
    text: 'address of the store, for the processes and for everyone who uploads or downloads',
  }),
  s3Region: text('S3_REGION', { default: 'us-east-1', text: 'region of the bucket' }),
  s3Bucket: text('S3_BUCKET', { requiredIf: WITH_S3, text: 'the bucket; it must exist' }),
  s3AccessKeyId: text('S3_ACCESS_KEY_ID', { requiredIf: WITH_S3, text: 'the access key' }),
  s3SecretAccessKey: text('S3_SECRET_ACCESS_KEY', { requiredIf: WITH_S3, text: 'its secret' }),
  s3ForcePathStyle: bool('S3_FORCE_PATH_STYLE', {
    default: false,
    text: '`https://store/bucket/key` instead of `https://bucket.store/key`; needed by MinIO and most other stores',
  }),
  fileMaxBytes: int('FILE_MAX_BYTES', {
    default: 104_857_600,
    min: 1,
    max: 5_000_000_000_000,
    text: 'size of the largest file that is accepted, in bytes',
  }),
  diskFreeBytes: int('FILE_DISK_FREE_BYTES', {
    default: 536_870_912,
    min: 0,
    max: 5_000_000_000_000,
    text: 'with `local`: what uploads leave free on the disk; one that would not is 503',
  }),
}) {}
