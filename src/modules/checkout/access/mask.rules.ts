const HIDDEN = '•••';

/** An address by which its owner knows it, and nobody else: `c•••@m•••.example`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const dot = domain.lastIndexOf('.');
  const ending = dot > 0 ? domain.slice(dot) : '';
  return `${firstSign(email)}${HIDDEN}@${firstSign(domain)}${HIDDEN}${ending}`;
}

/** Half of a surrogate pair would be no text. */
const firstSign = (text: string) => [...text][0] ?? '';
