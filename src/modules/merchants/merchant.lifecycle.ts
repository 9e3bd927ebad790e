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
    {
      from: null,
      trigger: 'create_pending',
      to: 'PENDING',
      event: null,
      why: 'On this platform an operator enrols each merchant.',
    },
    {
      from: 'PENDING',
      trigger: 'activate',
      to: 'ENROLLED',
      event: 'MERCHANT.ENROLLED',
      why: 'An operator has checked the merchant.',
    },
    {
      from: 'PENDING',
      trigger: 'deactivate',
      to: 'INACTIVE',
      event: null,
      why: 'An operator has checked the merchant and refuses it.',
    },
    {
      from: 'ENROLLED',
      trigger: 'deactivate',
      to: 'INACTIVE',
      event: null,
      why: 'New drafts and orders are refused; existing orders continue.',
    },
    {
      from: 'INACTIVE',
      trigger: 'activate',
      to: 'ENROLLED',
      event: 'MERCHANT.ENROLLED',
      why: 'The merchant may sell again.',
    },
  ],
});

export type MerchantStatus = (typeof merchantLifecycle)['states'][number];
export type MerchantTrigger = (typeof merchantLifecycle)['transitions'][number]['trigger'];
