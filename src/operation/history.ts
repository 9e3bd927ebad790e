/** The history of a resource: its transitions, as the API shows them. */
import { type TSchema, Type } from 'typebox';
import { closed, nullable, unixSeconds } from '#kernel/fields';
import { type Caller, mayReadCredit } from './caller.ts';

/** A stored transition of any resource. */
export interface StoredTransition {
  version: number;
  from_status: string | null;
  to_status: string;
  trigger: string;
  transitioned_at: number;
  actor: string;
  reason: string | null;
  decision_id: string | null;
}

/** The schema of one transition. `status` is the schema of the resource's status. */
export function historyEntry<S extends TSchema>(status: S, title: string) {
  return closed(
    {
      sequence: Type.Integer({
        description: 'The `sequence` in the event of the transition; increases with every transition',
      }),
      from_status: nullable({ ...status, description: 'The status before; null if the resource is new' }),
      to_status: { ...status, description: 'The status after the transition' },
      trigger: Type.String({ description: 'The trigger, as GET /v1/meta/state_machines lists it' }),
      transitioned_at: unixSeconds('When it happened'),
      actor: Type.String({
        description: 'The actor: `api_key:…`, `operator:…`, `buyer`, `service`, `sandbox`',
      }),
      reason: nullable(
        Type.String({
          description:
            'The reason in words. After a decision, only keys with `credit:read` and without a merchant restriction see it',
        }),
      ),
      decision_id: nullable(
        Type.String({
          format: 'uuid',
          description:
            'The decision that caused the transition: GET /v1/decisions/{decision_id}; null if none did',
        }),
      ),
    },
    title,
  );
}

/** The transition as the caller may see it. Only some callers may read what a person wrote about a decision. */
export function toHistoryEntry(
  { version, reason, ...transition }: StoredTransition,
  caller: Caller,
): Omit<StoredTransition, 'version'> & { sequence: number } {
  const isShown = transition.decision_id === null || mayReadCredit(caller);
  return { sequence: version, ...transition, reason: isShown ? reason : null };
}
