/** The answer if no route matches. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#kernel/problem';
import type { Route } from './bind.ts';
import { nearestPath } from './nearest-path.ts';

/** 405 if the path exists for other methods, which `Allow` then lists; otherwise 404 with the nearest path. */
export function missingRouteFinder(
  routes: readonly Route[],
): (request: FastifyRequest, reply: FastifyReply) => Problem {
  const patterns = routes.map(([method, path]) => ({
    methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  const paths = [...new Set(routes.map(([, path]) => path))];
  return ({ url, method }, reply) => {
    const path = url.split('?')[0] as string;
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    if (methods.length === 0) return unknownPath(nearestPath(path, paths));
    const allowed = [...new Set(methods)].sort();
    reply.header('allow', allowed.join(', '));
    const remedy = `This path does not support ${method}: use ${allowed.join(' or ')}.`;
    return new Problem('METHOD_NOT_ALLOWED', { details: { allowed, remedy } });
  };
}

function unknownPath(nearest: string | null): Problem {
  const all = 'GET /openapi.json lists all paths.';
  if (nearest === null)
    return new Problem('NOT_FOUND', { details: { remedy: `There is no such path. ${all}` } });
  const remedy = `There is no such path. Did you mean ${nearest}? ${all}`;
  return new Problem('NOT_FOUND', { details: { nearest_path: nearest, remedy } });
}
