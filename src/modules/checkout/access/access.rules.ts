/** What one browser may see of a checkout. */
import type { CheckoutOutcome } from '../state/checkout.view.ts';
import type { Progress } from '../state/progress.rules.ts';
import type { Snapshot } from '../state/snapshot.ts';

export interface Access {
  /** Stored data stays hidden until the one-time code is entered. */
  isCodeNeeded: boolean;
  /** The address that receives the code. */
  emailOnFile: string | null;
  /** The progress; null if none exists, or this browser may not see it. */
  mine: Progress | null;
  /** Whether this browser may see the buyer on file. */
  maySeeFile: boolean;
  isBuyerOnFile: boolean;
  /** Any browser with the link may cancel an order without progress; after that, only a browser that sees the progress. */
  mayCancel: boolean;
}

/** A browser sees its own entries; after the code, or once its entries completed the buyer, also the buyer on file. */
export function accessOf(
  { filed, progress, session }: Pick<Snapshot, 'filed' | 'progress' | 'session'>,
  outcome: CheckoutOutcome | null,
): Access {
  const isBuyerOnFile = filed.company !== null;
  const isVerified = (session?.verified_at ?? null) !== null;
  const isOwn = progress !== null && session !== null && progress.enteredBy === keyOfSession(session);
  const maySeeFile = isVerified || (isOwn && progress.isBuyerCompleted);
  const isHidden = isBuyerOnFile ? !maySeeFile : progress !== null && !isOwn && !isVerified;
  const mine = isOwn || isVerified ? progress : null;
  return {
    isCodeNeeded: outcome === null && filed.email !== null && isHidden,
    emailOnFile: filed.email,
    mine,
    maySeeFile,
    isBuyerOnFile,
    mayCancel: progress === null || mine !== null,
  };
}

/** The value of `enteredBy` in the progress. */
export function keyOfSession({ session_sha256 }: { session_sha256: Buffer }): string {
  return session_sha256.toString('base64url');
}
