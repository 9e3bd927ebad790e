/** The platform's colour in the checkout: of buttons with white text, and of links. */
import { contrastOf, isColor } from '#kernel/color';

/** The darkest light background of the pages. */
const GROUND = '#f5f7fa';
const CONTRAST_MIN = 4.5;

/** The colour as `#rrggbb` in lower case. If it cannot be used, returns why, as the end of a sentence. */
export function readBrandColor(text: string): { color: string } | string {
  const color = text.trim().toLowerCase();
  if (!isColor(color)) return 'must be a colour such as #1f4fc4';
  return contrastOf(color, GROUND) < CONTRAST_MIN
    ? 'is too light: white text on it, and links in it, would be unreadable. Choose a darker one'
    : { color };
}
