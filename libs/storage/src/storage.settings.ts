import { bool, int, oneOf, optionalUrl, settings, text } from '@tieline/platform/config';

const DRIVER = oneOf('STORAGE_DRIVER', ['local', 's3'], {
  default: 'local',
  text: '`local` (`DATA_DIR/files`) or `s3`; see [File storage](install.md#file-storage)',
});
const WITH_S3 = { setting: DRIVER, is: 's3' };

/** Storage of uploaded files. */
export class StorageSettings extends settings('File storage', {
  driver: DRIVER,
  s3Endpoint: optionalUrl('S3_ENDPOINT', {
    protocols: ['http:', 'https:'],
    shown: 'unset: AWS',
    text: 'address of the store, as Tieline and all clients reach it',
  }),
  s3Region: text('S3_REGION', { default: 'us-east-1', text: 'region of the bucket' }),
  s3Bucket: text('S3_BUCKET', { requiredIf: WITH_S3, text: 'existing bucket' }),
  s3AccessKeyId: text('S3_ACCESS_KEY_ID', { requiredIf: WITH_S3, text: 'access key' }),
  s3SecretAccessKey: text('S3_SECRET_ACCESS_KEY', { requiredIf: WITH_S3, text: 'secret of the access key' }),
  s3ForcePathStyle: bool('S3_FORCE_PATH_STYLE', {
    default: false,
    text: 'use `https://store/bucket/key` instead of `https://bucket.store/key`. MinIO and most other stores need it',
  }),
  fileMaxBytes: int('FILE_MAX_BYTES', {
    default: 104_857_600,
    min: 1,
    max: 5_000_000_000_000,
    text: 'largest accepted file in bytes',
  }),
  diskFreeBytes: int('FILE_DISK_FREE_BYTES', {
    default: 536_870_912,
    min: 0,
    max: 5_000_000_000_000,
    text: 'with `local`: bytes that must stay free on the disk; an upload that needs them gets 503',
  }),
}) {}
