/** An id in a path can be any text, which PostgreSQL would refuse to compare with a uuid. */
export function isUuid(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}
