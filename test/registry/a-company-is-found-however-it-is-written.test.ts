import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCompanies } from '#modules/registry';
import { handMadeRegistry } from '#test/hand-made-registry';
import { createWorld, type World } from '#test/world';

/** Typed text → the key of the first company found; `-` if none may be found. */
const IDENTIFIERS: Record<string, string> = {
  digits: `
    DE VAT_ID DE136695976 → de-cafe
    DE VAT_ID 136695976 → de-cafe
    DE VAT_ID de 136 695 976 → de-cafe
    DE VAT_ID 136.695.976 → de-cafe
    AT VAT_ID ATU12345678 → at-alpen
    AT VAT_ID U12345678 → at-alpen
    CH VAT_ID CHE-111.222.333 → ch-uhren
    CH VAT_ID CHE111222333MWST → ch-uhren
    CH VAT_ID 111 222 333 TVA → ch-uhren
    NL VAT_ID NL999999990B01 → nl-fiets
    NL VAT_ID 9999.99.990.B01 → nl-fiets
    BE VAT_ID BE 0123.456.749 → be-frites
    BE VAT_ID 123456749 → be-frites
    LU VAT_ID lu12345678 → lu-invest
    FR VAT_ID FR 32 123456789 → fr-boul
    FR VAT_ID 32123456789 → fr-boul
    FR VAT_ID FRFR999888777 → fr-atelier
    FR VAT_ID FR999888777 → fr-atelier
    IT VAT_ID 01234567890 → it-pasta
    IT VAT_ID IT 0123 456 7890 → it-pasta
    ES VAT_ID ES-B12345678 → es-nino
    ES VAT_ID b12345678 → es-nino
    PT VAT_ID 501 234 567 → pt-pastel
    PL VAT_ID PL 123-456-78-90 → pl-zabka
    CZ VAT_ID cz12345678 → cz-pivo
    SK VAT_ID 2020123456 → sk-tatra
    RO VAT_ID RO 12345678 → ro-paine
    BG VAT_ID BG123456789 → bg-roza
    HU VAT_ID 12345678 → hu-paprika
    HR VAT_ID HR 12345678901 → hr-more
    SI VAT_ID SI12345678 → si-med
    LT VAT_ID 123456789 → lt-gint
    LV VAT_ID LV 4000 1234 567 → lv-bern
    EE VAT_ID EE101234567 → ee-meri
    GR VAT_ID EL999999990 → gr-alfa
    GR VAT_ID GR999999990 → gr-alfa
    GR VAT_ID 999999990 → gr-alfa
    DK VAT_ID DK 12 34 56 78 → dk-smor
    SE VAT_ID SE556016068001 → se-skog
    NO VAT_ID NO987654321MVA → no-fjord
    NO VAT_ID 987654321 → no-fjord
    FI VAT_ID fi12345678 → fi-jarvi
    IE VAT_ID IE9+99999W → ie-dairy
    GB VAT_ID 123 4567 89 → gb-widgets
    GB VAT_ID XI987654321 → gb-ni
    CY VAT_ID CY12345678x → cy-aphro
    US VAT_ID 12-3456789 → us-bison`,
  'register numbers': `
    DE REGISTER_ID GnR 487 B Berlin (Charlottenburg) → de-cafe
    DE REGISTER_ID GnR 487 → de-cafe
    DE REGISTER_ID hrb10001 → de-mueller
    DE REGISTER_ID HRB 010001 → de-mueller
    AT REGISTER_ID FN 123456 a → at-alpen
    AT REGISTER_ID 123456A → at-alpen
    CH REGISTER_ID 111.222.333 → ch-uhren
    NL REGISTER_ID KVK 12345678 → nl-fiets
    BE REGISTER_ID 123.456.749 → be-frites
    LU REGISTER_ID B 123456 → lu-invest
    LU REGISTER_ID RCS Luxembourg B234567 → lu-fonds
    FR REGISTER_ID 123456789 → fr-boul
    FR REGISTER_ID 234 567 891 → fr-garage
    PL REGISTER_ID KRS 123456 → pl-zabka
    PL REGISTER_ID 0000234567 → pl-lodz
    CZ REGISTER_ID 23456789 → cz-kun
    HU REGISTER_ID 0609012345 → hu-paprika
    SE REGISTER_ID 5560160680 → se-skog
    NO REGISTER_ID NO 987654321 → no-fjord
    FI REGISTER_ID 12345678 → fi-jarvi
    GB REGISTER_ID 12345 → gb-widgets
    GB REGISTER_ID UK 00012345 → gb-widgets
    GB REGISTER_ID sc12345 → gb-scot
    GB REGISTER_ID NI 012345 → gb-ni
    RO REGISTER_ID j40 / 1234 / 2001 → ro-paine
    JP REGISTER_ID 1234567890123 → jp-toyama`,
  'another country, another type, nobody': `
    AT VAT_ID DE136695976 → -
    FR REGISTER_ID HRB 10001 → -
    DE REGISTER_ID 136695976 → -
    DE VAT_ID HRB 10001 → -
    DE VAT_ID DE999999999 → -
    DE VAT_ID ... → -`,
};

const NAMES: Record<string, string> = {
  accents: `
    DE Cafe Morgenrot → de-cafe
    DE CAFÉ MORGENROT → de-cafe
    DE Muller & Sohne → de-mueller
    DE Mueller & Soehne → de-mueller
    DE Müller und Söhne → de-mueller
    DE Weisse Strasse → de-strasse
    DE Jaeger Kaelte → de-umlaut
    DE Feinkost Ozturk → de-feinkost
    AT Alpengluehen → at-alpen
    CH Schoggi Traumli → ch-schoggi
    BE Chocolaterie Feves dOr → be-choco
    FR Coeur de Bretagne → fr-coeur
    FR Huitres Marennes → fr-huitres
    ES El Nino Juguetes → es-nino
    PT Pastelaria Sao Joao → pt-pastel
    PL Zolta Zabka → pl-zabka
    PL Lodzkie Wlokna → pl-lodz
    CZ Zlutoucky Kun → cz-kun
    RO Painea Tarii → ro-paine
    LT Saltinelis → lt-gint
    LV Bernu Pasaule → lv-bern
    DK Smorrebrod → dk-smor
    DK Aalborg Aerlig Handel → dk-aa
    FI Jarvenpaan Hyva Kahvi → fi-jarvi
    TR Sirin Simit → tr-simit
    MT Hagar Azure → mt-azur
    NZ Kiwifruit Kereru → nz-kiwi`,
  'typing errors': `
    DE Cafe Morgenrott → de-cafe
    DE Cafe Morgnrot → de-cafe
    DE Cafe Mrogenrot → de-cafe
    DE Cafe Morgenrit → de-cafe
    DE Cfae Morgenrot → de-cafe
    DE Xilophonbau Zwölftonwerk → de-xylo
    DE Xylophonbau Zwölftonwerrk → de-xylo
    DE Rheingodl → de-rhein
    DE BMW Fahrzeugteile → de-bw
    DE Zeppellin Balonfahrten → de-zeppelin
    AT Donauwlele Schifffahrts → at-donau
    NL Kashandel Van der Berg → nl-kaas
    NL Tulpenvedl → nl-tulp
    FR Garage du Chataeu → fr-garage
    IT Pastificio Bela Napoli → it-pasta
    PL Piekarna Swieta Jadwiga → pl-piekarnia
    GB Inveted Widgets → gb-widgets
    GB Caledonain Porridge → gb-cale
    GB Lagan Linnen → gb-ni
    GB Johnson Smyhte Chemists → gb-chem
    SE Skogsalvens Tra → se-skog
    US Maple Leaf Pancaeks → us-maple
    DE Wkeipel Ballonfahrten → de-zeppelin
    DE Schulzedelitzsch Volksbank → de-schulze
    DE Xylofonbau → de-xylo
    DE Vogelbeobahtunk → de-long
    FR Boulangerie Le Pain d Epi → fr-boul`,
  'legal forms': `
    DE Café Morgenrot e.G. → de-cafe
    DE Cafe Morgenrot Genossenschaft → de-cafe
    DE Müller Bau GmbH & Co KG → de-mueller-bau
    DE Müller Bau → de-mueller-bau
    DE Zwillingswerk Technik AG → de-twin-c
    DE Himmelblau Reisen Gmbbh → de-split
    LU Moselblick Invest S.à r.l. → lu-invest
    LU Moselblick Invest Sarl → lu-invest
    LU Moselblick Invest → lu-invest
    PL Zolta Zabka sp. z o.o. → pl-zabka
    PL Zolta Zabka Sp.z.o.o → pl-zabka
    PL Zolta Zabka spolka z ograniczona odpowiedzialnoscia → pl-zabka
    JP 富山電気 → jp-toyama
    JP 富山電気株式会社 → jp-toyama
    JP サクラ工業 → jp-sakura
    CZ Pivovar u Cerneho Kone sro → cz-pivo
    BG Розова долина → bg-roza
    LT Saltinelis UAB → lt-gint
    SE Fiskgränd AB → se-fisk
    GB Invented Widgets Ltd → gb-widgets
    FR L'Atelier Rêveur → fr-atelier
    UA Соняшник → ua-sonya
    FI Saunatontut Oy → fi-sauna
    DE GmbH Q → de-one`,
  'the order of words, and words too many or too few': `
    DE Morgenrot Cafe → de-cafe
    DE Söhne Müller → de-mueller
    DE Transport Meyer → de-meyer
    GB Mills Brightwater → gb-mill
    GB Pink Blue Sky Design → gb-sky
    IT Napoli Bella Pastificio → it-pasta
    DE Morgenrot → de-cafe
    DE Cafe Morgenrot Berlin → de-cafe
    DE Genossenschaftscafe Morgenrot Kastanienallee → -
    DE Vogelbeobachtung Förderung → de-long
    DE Cafe Morgen → de-cafe
    DE Xylo → de-xylo
    GB Caledonian P → gb-cale
    DE Himmel Blau Reisen → de-split
    DE Gutenberg → de-druck
    GB Thistle and Heather → gb-scot
    GB Imaginary Widgets → gb-widgets
    DE Windkraft Nordlicht → de-nord
    GB Cawl Co → gb-cardiff
    DE H.M. Hansen → de-hm
    DE HM Hansen Maschinen → de-hm
    DE 3D Druckwerk → de-drei
    DE 1848 → de-num
    GB OBriens Fish and Chips → gb-obrien
    IE O Shea → ie-oshea`,
  'other scripts': `
    GR Alfa Epinoimeni → gr-alfa
    GR ΑΛΦΑ → gr-alfa
    GR Elia kai Ladi → gr-elia
    GR Ελια και Λαδι → gr-elia
    BG Rozova Dolina → bg-roza
    UA Sonyashnyk → ua-sonya
    UA Chervona Kalyna → ua-kalyna
    UA Червона Калина → ua-kalyna
    JP Sakura → jp-sakura
    JP ｻｸﾗ工業 → jp-sakura
    JP 架空食品 → jp-nihon
    JP Toyama Denki → jp-toyama`,
  'ranking by name, then by address, existing ones first': `
    DE Müller & Söhne | city=Hamburg → de-mueller-hh
    DE Müller & Söhne | city=München → de-mueller
    DE Müller & Söhne | city=Muenchen → de-mueller
    DE Müller & Söhne | postcode=20457 → de-mueller-hh
    DE Müller & Söhne | street=Hafenstr 7 → de-mueller-hh
    DE Müller & Söhne | street=Hafenstrase → de-mueller-hh
    DE Zwillingswerk Technik GmbH | city=Jena → de-twin-b
    DE Zwillingswerk Technik GmbH | city=Erfurt → de-twin-a
    DE Zwillingswerk Technik AG | city=Erfurt → de-twin-c
    DE Meyer Transport → de-meyer
    DE Mayer Transport → de-mayer
    DE Mayer Transport | city=Hamburg | street= | postcode= → de-mayer
    DE Nordlicht Energie AG → de-nord
    GB Acorn Services → gb-services
    GB Acorn Cleaning Services → gb-services2
    GB Cleaning Services Maple → gb-services3
    GB Invented Widgets | city=Manchester → gb-widgets`,
  'nothing found, and the wrong country': `
    DE Quetzalcoatl Handelskontor → -
    DE Zzyzx → -
    AT Café Morgenrot → -
    FR Invented Widgets → -
    GB Müller Söhne → -
    ZW Café Morgenrot → -
    DE Konditorei Abendrot → -
    JP 東京電力 → -`,
};

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await writeCompanies(world.installation.db, handMadeRegistry, 1_700_000_000);
});
afterAll(() => world.close());

async function firstOf(search: Record<string, string>): Promise<string> {
  const { status, body } = await world.get(`/v1/businesses/search?${new URLSearchParams(search)}`);
  expect(status).toBe(200);
  return body.items[0]?.id.replace('HANDMADE-', '') ?? '-';
}

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' → ') as [string, string]);

describe('by identifier', () => {
  for (const [title, text] of Object.entries(IDENTIFIERS)) {
    describe(title, () => {
      it.each(linesOf(text))('%s → %s', async (typed, expected) => {
        const [, country = '', type = '', value = ''] = /^(\S+) (\S+) (.+)$/.exec(typed) ?? [];
        const search = { search_type: 'identifier', country, identifier_type: type, identifier_value: value };
        expect(await firstOf(search)).toBe(expected);
      });
    });
  }
});

describe('by name', () => {
  for (const [title, text] of Object.entries(NAMES)) {
    describe(title, () => {
      it.each(linesOf(text))('%s → %s', async (typed, expected) => {
        const [what = '', ...places] = typed.split(' | ');
        const at = Object.fromEntries(places.map((part) => part.split('=') as [string, string]));
        const search = {
          search_type: 'name_address',
          country: what.slice(0, 2),
          name: what.slice(3),
          ...at,
        };
        expect(await firstOf(search)).toBe(expected);
      });
    });
  }
});

it('uses a registry of about 120 companies and more than 150 searches', () => {
  const searches = [...Object.values(IDENTIFIERS), ...Object.values(NAMES)].flatMap(linesOf);
  expect(searches.length).toBeGreaterThanOrEqual(150);
  expect(handMadeRegistry.length).toBeGreaterThanOrEqual(110);
  expect(new Set(handMadeRegistry.map(({ registryKey }) => registryKey)).size).toBe(handMadeRegistry.length);
});
