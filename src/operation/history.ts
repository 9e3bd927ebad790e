/** The history of a resource, as the API shows it: its transitions. */
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
        description: 'As in the event of the transition; increases with every transition',
      }),
      from_status: nullable({ ...status, description: 'The status before; null if the resource is new' }),
      to_status: { ...status, description: 'The status after it' },
      trigger: Type.String({ description: 'The trigger, as GET /v1/meta/state_machines lists it' }),
      transitioned_at: unixSeconds('When it happened'),
      actor: Type.String({
        description: 'The actor: `api_key:…`, `operator:…`, `buyer`, `service`, `sandbox`',
      }),
      reason: nullable(
        Type.String({
          description:
            'The reason in words. Of a transition that a decision caused, shown with the scope `credit:read` only, and to no key of one merchant',
        }),
      ),
      decision_id: nullable(
        Type.String({
          format: 'uuid',
          description: 'The decision that caused it: GET /v1/decisions/{decision_id}; null without one',
        }),
      ),
    },
    title,
  );
}

/** The transition as the caller may see it: what a person wrote about a decision is not for everybody. */
export function toHistoryEntry(
  { version, reason, ...transition }: StoredTransition,
  caller: Caller,
): Omit<StoredTransition, 'version'> & { sequence: number } {
  const isShown = transition.decision_id === null || mayReadCredit(caller);
  return { sequence: version, ...transition, reason: isShown ? reason : null };
}
