/** The style sheet of a platform's colour. It has its own address, because pages allow no inline styles. */
import type { FastifyInstance } from 'fastify';
import { contrastOf, isColor, lightened } from '#kernel/color';
import { notFound } from '#kernel/problem';
import { COMMON_HEADERS } from './security-headers.ts';

/** Relative to /checkout/. */
export function brandPathOf(color: string): string {
  return `brand/${color.slice(1)}.css`;
}

export function serveBrands(app: FastifyInstance): void {
  app.get<{ Params: { file: string } }>('/brand/:file', async (request, reply) => {
    const color = `#${request.params.file.replace(/\.css$/, '')}`;
    if (!isColor(color)) throw notFound();
    return reply
      .headers({
        ...COMMON_HEADERS,
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'same-origin',
      })
      .type('text/css; charset=utf-8')
      .send(brandStyle(color));
  });
}

/** The lightest dark background of the pages. */
const DARK_GROUND = '#1a2029';
const CONTRAST_MIN = 4.5;
const STEP = 0.05;

/** On dark backgrounds, the colour is lightened until it is readable. */
function brandStyle(color: string): string {
  let share = 0;
  while (contrastOf(lightened(color, share), DARK_GROUND) < CONTRAST_MIN) share += STEP;
  const light = lightened(color, share);
  return `:root {
  --accent: light-dark(${color}, ${light});
  --press: light-dark(color-mix(in srgb, ${color}, #000 20%), color-mix(in srgb, ${light}, #fff 30%));
  --tint: light-dark(color-mix(in srgb, ${color} 8%, #fff), color-mix(in srgb, ${color} 20%, #12161d));
}
`;
}
