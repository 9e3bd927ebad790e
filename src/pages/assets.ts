/** Serves the style sheet, the script and the icon, under addresses that change with their content. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { encodingOf } from '#http/compression';
import { COMMON_HEADERS } from './security-headers.ts';

const TYPES = {
  'checkout.css': 'text/css; charset=utf-8',
  'checkout.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;

/** One year, the maximum that browsers use. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

export interface Assets {
  /** Paths relative to /checkout/. */
  style: string;
  script: string;
  icon: string;
}

const files = Object.entries(TYPES).map(([name, type]) => {
  const bytes = readFileSync(new URL(`./browser/${name}`, import.meta.url));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const [stem, ending] = name.split('.');
  return { name, type, bytes, path: `assets/${stem}-${hash}.${ending}` };
});

function pathOf(name: keyof typeof TYPES): string {
  return files.find((file) => file.name === name)?.path as string;
}

export const ASSETS: Assets = {
  style: pathOf('checkout.css'),
  script: pathOf('checkout.js'),
  icon: pathOf('icon.svg'),
};

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Each file is compressed once, at the first request, with the highest quality. */
export function serveAssets(app: FastifyInstance): void {
  for (const { type, bytes, path } of files) {
    const compressed: Partial<Record<'br' | 'gzip', Promise<Buffer>>> = {};
    const encoded = (encoding: 'br' | 'gzip') => {
      compressed[encoding] ??=
        encoding === 'gzip'
          ? gzipped(bytes, { level: constants.Z_BEST_COMPRESSION })
          : brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } });
      return compressed[encoding];
    };
    app.get(`/${path}`, async (request, reply) => {
      const encoding = encodingOf(request.headers['accept-encoding']);
      reply.headers({
        ...COMMON_HEADERS,
        'content-type': type,
        'cache-control': IMMUTABLE,
        'cross-origin-resource-policy': 'same-origin',
        vary: 'accept-encoding',
      });
      if (encoding === null) return reply.send(bytes);
      return reply.header('content-encoding', encoding).send(await encoded(encoding));
    });
  }
}
