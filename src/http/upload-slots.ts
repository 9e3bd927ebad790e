import { Problem } from '#kernel/problem';

/** Each upload is held in memory completely: 160 MiB at most. */
const AT_ONCE_MAX = 8;
/** So that one platform leaves room for others. */
const AT_ONCE_OF_PLATFORM_MAX = 4;
const RETRY_AFTER_SECONDS = 1;

export interface UploadSlots {
  /** Throws TOO_MANY_REQUESTS if the platform uses its share, SERVICE_UNAVAILABLE if all slots are taken. */
  take(platformId: number): void;
  release(platformId: number): void;
}

/** Limits the number of uploads that are received at the same time. */
export function createUploadSlots(): UploadSlots {
  const taken = new Map<number, number>();
  let takenInAll = 0;
  return {
    take(platformId) {
      const ofPlatform = taken.get(platformId) ?? 0;
      const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
      if (ofPlatform >= AT_ONCE_OF_PLATFORM_MAX) {
        const error = `At most ${AT_ONCE_OF_PLATFORM_MAX} files can be uploaded at the same time`;
        throw new Problem('TOO_MANY_REQUESTS', { error, ...retry });
      }
      if (takenInAll >= AT_ONCE_MAX)
        throw new Problem('SERVICE_UNAVAILABLE', { error: 'Too many files are being uploaded', ...retry });
      takenInAll += 1;
      taken.set(platformId, ofPlatform + 1);
    },
    release(platformId) {
      takenInAll -= 1;
      const left = (taken.get(platformId) ?? 0) - 1;
      if (left > 0) taken.set(platformId, left);
      else taken.delete(platformId);
    },
  };
}
