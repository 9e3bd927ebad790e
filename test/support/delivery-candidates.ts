/** Deliveries that a claim considers, in groups, and the choice that the rules make. */
import {
  type Choice,
  CLAIMED_MAX,
  chooseDeliveries,
  DELIVERY_SLOTS,
  type DeliveryCandidate,
  type DeliveryCandidates,
} from '../../src/modules/webhooks/claim.rules.ts';

/** Deliveries of one subscription, or its running attempts: all alike, each due a second later than the previous one. */
export interface CandidateGroup {
  of: string;
  platform?: number;
  origin?: string;
  outcome?: 'DELIVERED' | 'SLOW' | 'FAILED' | 'TIMEOUT' | null;
  status?: 'ACTIVE' | 'DISABLED';
  due?: number;
  held?: number;
  recovered?: number;
  running?: number;
  /** When the first is due. */
  dueAt?: number;
}

/** The candidates, and the running attempts of all groups. */
function candidatesOf(groups: readonly CandidateGroup[]): DeliveryCandidates {
  let deliveryId = 0;
  return {
    due: groups.flatMap((group) => {
      const { due = 0, held = 0, recovered = 0, dueAt = 1_000 } = group;
      return Array.from(
        { length: due + held + recovered },
        (_, nth): DeliveryCandidate => ({
          ...receiverOf(group),
          status: group.status ?? 'ACTIVE',
          delivery_id: ++deliveryId,
          ...{ event_id: '', round: 1, attempts: 0, age_seconds: 0 },
          due_at: dueAt + nth,
          is_held: nth >= due,
          is_recovered: nth >= due + held,
        }),
      );
    }),
    underWay: groups.map((group) => ({ ...receiverOf(group), under_way: group.running ?? 0 })),
  };
}

function receiverOf({ of, platform = 1, origin = `https://${of}`, outcome = 'DELIVERED' }: CandidateGroup) {
  return { subscription_id: of, platform_id: platform, origin, last_outcome: outcome };
}

interface ChoiceOptions {
  batchSizeMax?: number;
  placesFree?: number;
  slots?: object;
}

/** The choice of a worker, by default one with enough slots that no platform's share limits the choice. */
export const choose = (groups: readonly CandidateGroup[], options: ChoiceOptions = {}): Choice =>
  chooseDeliveries(candidatesOf(groups), {
    batchSizeMax: Math.min(options.batchSizeMax ?? CLAIMED_MAX, options.placesFree ?? CLAIMED_MAX),
    placesFree: options.placesFree ?? 1_000,
    slots: { ...DELIVERY_SLOTS, ...options.slots },
  });
/** The number of rows by subscription. */
export const countsOf = (rows: readonly DeliveryCandidate[]) =>
  Object.fromEntries(
    [...Map.groupBy(rows, ({ subscription_id }) => subscription_id)].map(([of, each]) => [of, each.length]),
  );
/** Groups that differ only in their subscriptions. */
export const many = (count: number, group: Omit<CandidateGroup, 'of'>, name = 's'): CandidateGroup[] =>
  Array.from({ length: count }, (_, nth) => ({ of: `${name}${nth}`, ...group }));
