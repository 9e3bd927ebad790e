import { describe, expect, it } from 'vitest';
import { nearestPath } from './nearest-path.ts';

const KNOWN = [
  '/v1/platform',
  '/v1/buyers',
  '/v1/buyers/search',
  '/v1/buyers/{external_id}',
  '/v1/buyers/{external_id}/facility',
  '/v1/buyers/{external_id}/facility/renew',
  '/v1/buyers/{external_id}/payment_terms',
  '/v1/orders',
  '/v1/orders/draft',
  '/v1/orders/{external_id}',
  '/v1/orders/{external_id}/cancel',
];

describe('nearestPath', () => {
  it.each([
    ['/v1/buyer', '/v1/buyers'],
    ['/v1/byers/b1', '/v1/buyers/{external_id}'],
    ['/v1/Buyers', '/v1/buyers'],
    ['/buyers', '/v1/buyers'],
    ['/v2/orders/o1', '/v1/orders/{external_id}'],
    ['/api/v1/platform', '/v1/platform'],
    ['/v1/buyers/b1/', '/v1/buyers/{external_id}'],
    ['/v1/orders/draft/', '/v1/orders/draft'],
    ['/v1/buyers/b1/facilities', '/v1/buyers/{external_id}/facility'],
    ['/v1/buyers/b1/payment-terms', '/v1/buyers/{external_id}/payment_terms'],
    ['/v1/orders/o1/cancle', '/v1/orders/{external_id}/cancel'],
  ])('of %s is %s', (path, nearest) => expect(nearestPath(path, KNOWN)).toBe(nearest));

  it.each(['/', '/v1', '/v1/nowhere', '/favicon.ico', '/v1/buyers/b1/x/y/z', `/v1/${'a'.repeat(16_000)}`])(
    'of %.40s is none',
    (path) => expect(nearestPath(path, KNOWN)).toBeNull(),
  );
});
