/** The fonts of documents: files of packages, which cover Latin, Greek, Cyrillic, Arabic, Japanese and Chinese. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const FONTS: readonly [package_: string, regular: string, bold: string][] = [
  [
    '@expo-google-fonts/noto-sans',
    '400Regular/NotoSans_400Regular.ttf',
    '600SemiBold/NotoSans_600SemiBold.ttf',
  ],
  [
    '@expo-google-fonts/ibm-plex-sans-arabic',
    '400Regular/IBMPlexSansArabic_400Regular.ttf',
    '600SemiBold/IBMPlexSansArabic_600SemiBold.ttf',
  ],
  [
    '@expo-google-fonts/biz-udpgothic',
    '400Regular/BIZUDPGothic_400Regular.ttf',
    '700Bold/BIZUDPGothic_700Bold.ttf',
  ],
  ['@embedpdf/fonts-sc', 'fonts/NotoSansHans-Regular.otf', 'fonts/NotoSansHans-Bold.otf'],
];

/** Reads 36 MB. */
export function readFonts(): { regular: Buffer; bold: Buffer }[] {
  const { resolve } = createRequire(import.meta.url);
  return FONTS.map(([name, regular, bold]) => {
    // A package may export only its main file, which is in its root or in `dist`.
    const folder = dirname(resolve(name)).replace(/[/\\]dist$/, '');
    return { regular: readFileSync(join(folder, regular)), bold: readFileSync(join(folder, bold)) };
  });
}
