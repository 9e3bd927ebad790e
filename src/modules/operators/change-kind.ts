/** The parts of a change that may need two operators. */
import type { Context } from '#operation/operation';
import type { Role } from './operator.rules.ts';

/** What a change does to what is stored now. */
export interface PlannedChange {
  /** What is changed: `limit policy of cafe-morgenrot`. */
  subject: string;
  /** Only what the change is about, without personal data; null if there is none. */
  before: object | null;
  after: object | null;
  /** Whether it raises what can be owed, or adds to who may decide about it. */
  takesTwo: boolean;
  /** Makes the change in the transaction in which it was planned. */
  apply(made: MadeBy): Promise<void>;
}

/** Who makes a change. If two operators do, `actor` is the one who proposed it. */
export interface MadeBy {
  actor: string;
  /** Null if one operator was enough. */
  approvedBy: string | null;
  reason: string;
}

/** What a change is planned with: the transaction, the platform with its keys, who, and when. */
export type PlanContext = Pick<Context, 'db' | 'platformId' | 'actor' | 'now' | 'vault'>;

export interface ChangeKind<Payload extends object> {
  /** The name in approvals and in the audit log: `LIMIT_POLICY`. */
  name: string;
  /** The role that is required to request the change. */
  role: Role;
  /** Whether an operator with this role may approve it. */
  mayApprove(role: Role): boolean;
  /**
   * Validates the change against what is stored now. It is planned again when it is approved. Throws StartRefused if the
   * change cannot be made.
   */
  plan(context: PlanContext, payload: Payload): Promise<PlannedChange>;
}
