/** What a change that may need two operators is made of. */
import type { Context } from '#operation/operation';
import type { Role } from './operator.rules.ts';

/** What a change does to what is stored now. */
export interface PlannedChange {
  /** What is changed: `limit policy of cafe-morgenrot`. */
  subject: string;
  /** Only what the change is about, without personal data; null if there is none. */
  before: object | null;
  after: object | null;
  /** It raises what can be owed, or who may decide about it. */
  takesTwo: boolean;
  /** Makes the change in the transaction in which it was planned. */
  apply(made: MadeBy): Promise<void>;
}

/** Who makes a change. `actor` is the one who proposed it, where two do. */
export interface MadeBy {
  actor: string;
  /** Null if one operator was enough. */
  approvedBy: string | null;
  reason: string;
}

/** What a change is planned with: the transaction, the platform with its keys, who, and when. */
export type PlanContext = Pick<Context, 'db' | 'platformId' | 'actor' | 'now' | 'vault'>;

export interface ChangeKind<Payload extends object> {
  /** As approvals and the log name it: `LIMIT_POLICY`. */
  name: string;
  /** The role that it takes to request the change. */
  role: Role;
  /** Whether an operator with this role may approve it. */
  mayApprove(role: Role): boolean;
  /**
   * Validates the change against what is stored now. It is planned again when it is approved. Throws StartRefused where
   * the change cannot be made.
   */
  plan(context: PlanContext, payload: Payload): Promise<PlannedChange>;
}
