import { defineLifecycle } from '#kernel/lifecycle';

/** The states are the whole contract; a draft is the one an order can be in so far. */
export const orderLifecycle = defineLifecycle({
  name: 'Order',
  states: ['DRAFT', 'CANCELLED', 'CLOSED', 'PENDING_CONFIRMATION', 'CONFIRMED', 'EXPIRED', 'DISBURSED'],
  moves: [
    {
      from: null,
      trigger: 'create_draft',
      to: 'DRAFT',
      event: null,
      why: 'A draft reserves no credit and never expires by itself; the buyer completes it in the hosted checkout.',
    },
  ],
});
