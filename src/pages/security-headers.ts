/** Security headers of pages. */

/** @param origins The platform's origins, which may show the page in a frame. */
export function securityHeaders(origins: readonly string[]): Record<string, string> {
  return { ...COMMON_HEADERS, ...PAGE, 'content-security-policy': policy(origins) };
}

/** Headers of every response of a surface with pages. */
export const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
};

const FEATURES = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'usb',
  'xr-spatial-tracking',
];

const PAGE = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  // There is no wildcard: each feature is denied by name.
  'permissions-policy': FEATURES.map((feature) => `${feature}=()`).join(', '),
};

function policy(origins: readonly string[]): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${origins.length === 0 ? "'none'" : origins.join(' ')}`,
  ].join('; ');
}
