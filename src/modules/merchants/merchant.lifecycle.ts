import { defineLifecycle } from '#kernel/lifecycle';

export const merchantLifecycle = defineLifecycle({
  name: 'Merchant',
  states: ['ENROLLED', 'PENDING', 'INACTIVE'],
  transitions: [
    {
      from: null,
      trigger: 'create',
      to: 'ENROLLED',
      event: 'MERCHANT.ENROLLED',
      why: 'The platform vouches for its merchants.',
    },
  ],
});
