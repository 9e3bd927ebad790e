/** The path that a mistyped one was probably meant to be. */

/** A request target can have 16 KiB. Longer paths than this are not typing errors. */
const LENGTH_MAX = 300;
const SEGMENTS_MAX = 8;
/** In characters: `facilities` for `facility` has distance 3, and parameters add a little. */
const DISTANCE_MAX = 3.5;
/** In characters. A missing or extra segment, such as a missing version, is farther than a mistyped word. */
const SEGMENT_DISTANCE = 3.2;

/** Any segment fits `{name}`, but a word of the path that fits as well is nearer. */
const PARAMETER_DISTANCE = 0.1;

/** The nearest of the known paths, in which `{name}` is any segment; null if none is near, or if several are equally near. */
export function nearestPath(path: string, known: readonly string[]): string | null {
  const written = segmentsOf(path);
  if (path.length > LENGTH_MAX || written.length > SEGMENTS_MAX) return null;
  const distances = known.map((candidate) => ({
    candidate,
    distance: distanceOf(segmentsOf(candidate), written, SEGMENT_DISTANCE, segmentDistance),
  }));
  const shortest = Math.min(DISTANCE_MAX, ...distances.map(({ distance }) => distance));
  const nearest = distances.filter(({ distance }) => distance === shortest);
  return nearest.length === 1 ? (nearest[0]?.candidate ?? null) : null;
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

function segmentDistance(known: string, written: string): number {
  if (known.startsWith('{')) return PARAMETER_DISTANCE;
  if (Math.abs(known.length - written.length) > DISTANCE_MAX) return DISTANCE_MAX + 1;
  return distanceOf([...known], [...written.toLowerCase()], 1, (one, other) => (one === other ? 0 : 1));
}

/** Levenshtein distance of two lists. */
function distanceOf(
  known: readonly string[],
  written: readonly string[],
  stepDistance: number,
  replacementDistance: (known: string, written: string) => number,
): number {
  let above = written.map((_, nth) => (nth + 1) * stepDistance);
  known.forEach((one, row) => {
    let diagonal = row * stepDistance;
    let left = (row + 1) * stepDistance;
    above = written.map((other, column) => {
      const up = above[column] as number;
      left = Math.min(left + stepDistance, up + stepDistance, diagonal + replacementDistance(one, other));
      diagonal = up;
      return left;
    });
  });
  return above.at(-1) ?? known.length * stepDistance;
}
