/**
 * A hundred and twenty invented companies for manual searches, with the unusual forms of real names and numbers. A line each: key | country
 * | legal name | trading name | other names (separated by /) | street, house, postcode, city (separated by ;) | identifiers (V a VAT id, R
 * a register number, separated by ;) | - for one that is dissolved
 */
import type { RegistryEntry } from '#modules/registry';

const LINES = `
de-cafe | DE | Café Morgenrot eG | Café Morgenrot | | Kastanienallee; 85; 10435; Berlin | V DE136695976; R GnR 487 B Berlin (Charlottenburg)
de-mueller | DE | Müller & Söhne GmbH | | | Hauptstraße; 1; 80331; München | V DE811111111; R HRB 10001
de-mueller-hh | DE | Müller & Söhne GmbH | | | Hafenstraße; 7; 20457; Hamburg | R HRB 20002
de-mueller-bau | DE | Müller Bau GmbH & Co. KG | | | Bauweg; 3; 50667; Köln | R HRA 30003
de-meyer | DE | Meyer Transport GmbH | | | Ring; 9; 28195; Bremen | R HRB 40004
de-mayer | DE | Mayer Transport AG | | | Ring; 10; 28195; Bremen | R HRB 40005
de-goethe | DE | Buchhandlung Goethe e.K. | | | Markt; 2; 60311; Frankfurt am Main | R HRA 50006
de-strasse | DE | Weiße Straße Immobilien AG | | | Weiße Straße; 4; 04109; Leipzig | R HRB 60007
de-feuer | DE | Löschzug Feuerwehrtechnik UG (haftungsbeschränkt) | | | Am Löschteich; 5; 01067; Dresden | V DE822222222
de-feinkost | DE | Feinkost Öztürk GmbH | | | Sonnenallee; 12; 12047; Berlin | V DE833333333
de-nord | DE | Nordlicht Energie AG | Nordlicht | Windkraft Nordlicht AG/Nordlicht Wind GmbH | Deich; 1; 25813; Husum | R HRB 70008
de-nord-alt | DE | Nordlicht Energie AG | | | Deich; 1; 25813; Husum | R HRB 70009 | -
de-drei | DE | 3-D Druckwerk GmbH | | | Werkstraße; 33; 70173; Stuttgart | R HRB 80010
de-hm | DE | H. & M. Hansen Maschinen GmbH | | | Gleis; 8; 24103; Kiel | R HRB 90011
de-schulze | DE | Schulze-Delitzsch Volksbank eG | | | Platz; 1; 04509; Delitzsch | R GnR 12
de-xylo | DE | Xylophonbau Zwölftonwerk KG | | | Klangweg; 12; 34117; Kassel | R HRA 1213
de-bio | DE | Biohof Sonnenblume GbR | | | Feldweg; 6; 17033; Neubrandenburg |
de-rhein | DE | Rheingold Versicherungsmakler GmbH | | | Uferweg; 2; 55116; Mainz | R HRB 3131
at-alpen | AT | Alpenglühen Tourismus GmbH | | | Bergstraße; 1; 6020; Innsbruck | V ATU12345678; R FN 123456a
at-wiener | AT | Wiener Würstelstand e.U. | | | Prater; 4; 1020; Wien | R FN 234567b
at-donau | AT | Donauwelle Schifffahrts OG | | | Lände; 8; 4020; Linz | V ATU23456789
ch-uhren | CH | Uhrwerk Präzision AG | | | Seestrasse; 11; 8002; Zürich | V CHE-111.222.333 MWST; R CHE-111.222.333
ch-fromage | CH | Fromagerie des Alpes Sàrl | | | Rue du Lac; 3; 1003; Lausanne | V CHE-222.333.444 TVA; R CHE-222.333.444
ch-ticino | CH | Castagne Ticinesi Sagl | | | Via Lago; 5; 6900; Lugano | R CHE-333.444.555
nl-fiets | NL | Fietsenmaker De Snelle Ketting B.V. | | | Kerkstraat; 12; 1017 GC; Amsterdam | V NL999999990B01; R 12345678
nl-kaas | NL | Kaashandel Van der Berg V.O.F. | | | Markt; 1; 2801 JJ; Gouda | R 23456789
nl-tulp | NL | Tulpenveld Export N.V. | | | Bloemweg; 44; 2161 AB; Lisse | V NL888888880B01
be-frites | BE | Friterie du Coin SRL | | | Place Flagey; 2; 1050; Ixelles | V BE0123456749; R 0123.456.749
be-choco | BE | Chocolaterie Fèves d'Or NV | Fèves d'Or | | Grote Markt; 9; 2000; Antwerpen | V BE0987654321; R 0987.654.321
be-bier | BE | Brouwerij Het Gouden Anker BV | | | Kaai; 3; 9000; Gent | R 0456.789.123
lu-invest | LU | Moselblick Invest S.à r.l. | | | Rue de l'Eau; 1; 1449; Luxembourg | V LU12345678; R B123456
lu-fonds | LU | Grand Fonds Européen SA | | | Boulevard Royal; 20; 2449; Luxembourg | R B 234567
fr-boul | FR | Boulangerie Le Pain d'Épi SARL | Le Pain d'Épi | | Rue de la Soie; 16; 69003; Lyon | V FR32123456789; R 123 456 789
fr-atelier | FR | SAS L'Atelier Rêveur | | | Rue des Arts; 5; 75011; Paris | V FRFR999888777; R 999 888 777
fr-garage | FR | Garage du Château SA | | | Avenue Foch; 8; 57000; Metz | R RCS Metz 234 567 891
fr-coeur | FR | Cœur de Bretagne SCI | | | Quai; 2; 29200; Brest | R 345678912
fr-sncf | FR | Société Nouvelle des Conserveries Françaises | | | Port; 1; 29900; Concarneau | R 456789123
it-pasta | IT | Pastificio Bella Napoli S.r.l. | | | Via Roma; 10; 80100; Napoli | V IT01234567890; R NA-123456
it-moda | IT | Moda Perché No S.p.A. | | | Via Montenapoleone; 1; 20121; Milano | V IT12345678901
it-cant | IT | Cantina dei Colli di Giuseppe Verdi & C. S.n.c. | | | Via dei Colli; 7; 37100; Verona | R VR-234567
es-nino | ES | El Niño Juguetes S.L. | | | Calle Mayor; 3; 28013; Madrid | V ESB12345678; R B12345678
es-peluq | ES | Peluquería Doña Carmen S.A. | | | Rambla; 22; 08002; Barcelona | V ESA23456789
es-naranj | ES | Naranjas de Valencia S.L.U. | | | Huerta; 5; 46001; Valencia | R B34567890
pt-pastel | PT | Pastelaria São João Lda | | | Rua Augusta; 100; 1100-053; Lisboa | V PT501234567; R 501234567
pt-cortica | PT | Cortiça do Alentejo S.A. | | | Largo; 2; 7000-001; Évora | V PT502345678
pl-zabka | PL | Żółta Żabka sp. z o.o. | | | ul. Długa; 5; 31-147; Kraków | V PL1234567890; R 0000123456
pl-lodz | PL | Łódzkie Włókna S.A. | | | ul. Piotrkowska; 100; 90-004; Łódź | V PL2345678901; R KRS 0000234567
pl-piekarnia | PL | Piekarnia Święta Jadwiga sp. k. | | | Rynek; 1; 50-101; Wrocław | R 0000345678
cz-pivo | CZ | Pivovar U Černého Koně s.r.o. | | | Nádražní; 4; 301 00; Plzeň | V CZ12345678; R 12345678
cz-kun | CZ | Žluťoučký Kůň a.s. | | | Školní; 1; 602 00; Brno | V CZ23456789; R IČO 23456789
sk-tatra | SK | Tatranské Pramene s.r.o. | | | Hlavná; 9; 058 01; Poprad | V SK2020123456; R 36123456
ro-paine | RO | Pâinea Țării SRL | | | Strada Mare; 2; 010011; București | V RO12345678; R J40/1234/2001
bg-roza | BG | Розова долина ЕООД | | Rozova Dolina EOOD | ul. Roza; 1; 6100; Казанлък | V BG123456789; R 123456789
hu-paprika | HU | Szegedi Paprikaőrlő Kft. | | | Tisza utca; 6; 6720; Szeged | V HU12345678; R 06-09-012345
hr-more | HR | Plavo More d.o.o. | | | Obala; 3; 21000; Split | V HR12345678901; R 060012345
si-med | SI | Čebelarstvo Zlati Med d.o.o. | | | Trg; 1; 1000; Ljubljana | V SI12345678; R 1234567000
lt-gint | LT | UAB Šaltinėlis | | | Gedimino pr.; 5; 01103; Vilnius | V LT123456789; R 301234567
lv-bern | LV | SIA Bērnu Pasaule | | | Brīvības iela; 10; 1010; Rīga | V LV40001234567; R 40001234567
ee-meri | EE | Läänemere Laevad OÜ | | | Sadama; 2; 10111; Tallinn | V EE101234567; R 12345678
gr-alfa | GR | Αλφα Επινοημένη Α.Ε. | Άλφα | | Πανεπιστημίου; 25; 10564; Αθήνα | V EL999999990; R 001234567000
gr-elia | GR | Ελιά και Λάδι Ο.Ε. | | Elia kai Ladi OE | Ermou; 3; 24100; Kalamata | V EL988888880
dk-smor | DK | Smørrebrød & Sønner ApS | | | Vestergade; 9; 8000; Aarhus | V DK12345678; R 12345678
dk-aa | DK | Ålborg Ærlig Handel A/S | | | Havnegade; 1; 9000; Aalborg | R 23456789
se-skog | SE | Skogsälvans Trä AB | | | Storgatan; 2; 903 26; Umeå | V SE556016068001; R 556016-0680
se-fisk | SE | AB Fiskgränd | | | Fiskgränd; 4; 411 20; Göteborg | R 556123-4567
no-fjord | NO | Fjordblikk Sjømat AS | | | Strandgaten; 8; 5013; Bergen | V NO 987 654 321 MVA; R 987 654 321
no-tind | NO | Tindebestigerne ANS | | | Tindveien; 1; 8300; Svolvær | R 976543210
fi-jarvi | FI | Järvenpään Hyvä Kahvi Oy | | | Kahvikatu; 3; 04400; Järvenpää | V FI12345678; R 1234567-8
fi-poro | FI | Poronhoito Lappi Oyj | | | Porotie; 1; 99100; Kittilä | R 2345678-9
ie-dairy | IE | Invented Dairy Limited | | | Harbour Park; 4; T12 X8P4; Cork | V IE9+99999W; R 123456
ie-oshea | IE | O'Shea & Ní Bhriain Teoranta | | | Main Street; 7; H91 E2K3; Galway | V IE1234567T
mt-azur | MT | Ħaġar Azure Ltd | | | Triq il-Kbira; 5; VLT 1000; Valletta | V MT12345678; R C 12345
cy-aphro | CY | Aphrodite Lemons Limited | | | Leoforos; 6; 8010; Paphos | V CY12345678X; R HE 123456
gb-widgets | GB | INVENTED WIDGETS LIMITED | | IMAGINARY WIDGETS LIMITED | Great Portland Street; 85; W1W 7LT; London | V GB123456789; R 00012345
gb-widgets-n | GB | INVENTED WIDGETS (NORTHERN) LIMITED | | | Deansgate; 4; M3 2EN; Manchester | R 01234567
gb-mill | GB | BRIGHTWATER MILLS LIMITED | | | Mill Lane; 1; LS1 4AP; Leeds | R 02345678 | -
gb-cale | GB | CALEDONIAN PORRIDGE LLP | | | Harbour Road; 3; EH6 6QQ; Edinburgh | R SO300123
gb-scot | GB | THE THISTLE & HEATHER COMPANY LTD | | | High Street; 10; IV1 1AA; Inverness | R SC012345
gb-ni | GB | LAGAN LINEN LTD | | | Harbour Road; 5; BT1 1AA; Belfast | V XI987654321; R NI012345
gb-obrien | GB | O'BRIEN'S FISH & CHIPS PLC | | | Sea Front; 2; BN1 1AA; Brighton | R 03456789
gb-services | GB | ACORN SERVICES LTD | | | Oak Road; 1; B1 1AA; Birmingham | R 04567890
gb-services2 | GB | ACORN CLEANING SERVICES LTD | | | Oak Road; 2; B1 1AA; Birmingham | R 04567891
gb-services3 | GB | MAPLE CLEANING SERVICES LTD | | | Oak Road; 3; B1 1AA; Birmingham | R 04567892
gb-sky | GB | SKY BLUE PINK DESIGN LTD | | | Rainbow Row; 7; BS1 1AA; Bristol | R 05678901
us-maple | US | Maple Leaf Pancakes Inc. | | | Main St; 100; 05401; Burlington | R 1234567
us-bison | US | Bison & Sons Trucking LLC | | | Prairie Ave; 200; 57701; Rapid City | V 12-3456789; R DL012345
ca-erable | CA | Érablière du Nord Inc. | | | Rang; 5; G0A 4V0; Québec | R 1142345678
au-wombat | AU | Wombat Coffee Roasters Pty Ltd | | | Collins St; 1; 3000; Melbourne | R 123 456 780
nz-kiwi | NZ | Kiwifruit Kererū Limited | | | Queen St; 3; 1010; Auckland | R 9429041234567
jp-toyama | JP | 株式会社富山電気 | | Toyama Denki K.K. | 本町; 1-2; 930-0029; 富山市 | R 1234567890123
jp-sakura | JP | サクラ工業株式会社 | | | 中央; 3; 104-0031; 東京都 | R 2345678901234
jp-nihon | JP | 日本架空食品合同会社 | | Nihon Kaku Foods GK | 港; 5; 105-0011; 東京都 | R 3456789012345
tr-simit | TR | Şirin Simit Gıda Ltd. Şti. | | | İstiklal Cd.; 8; 34430; İstanbul | V 1234567890; R 123456
ua-sonya | UA | ТОВ «Соняшник» | | | вул. Хрещатик; 1; 01001; Київ | R 12345678
ua-kalyna | UA | ПрАТ Червона Калина | | PrJSC Chervona Kalyna | вул. Лісова; 2; 79000; Львів | R 23456789
de-long | DE | Gesellschaft zur Förderung der experimentellen Vogelbeobachtung mbH | | | Vogelweg; 1; 78315; Radolfzell | R HRB 515151
de-one | DE | Q GmbH | | | Allee; 1; 10115; Berlin | R HRB 616161
de-num | DE | 1848 Verlag GmbH | | | Paulsplatz; 1; 60311; Frankfurt am Main | R HRB 717171
de-twin-a | DE | Zwillingswerk Technik GmbH | | | Talstraße; 1; 99084; Erfurt | R HRB 818181
de-twin-b | DE | Zwillingswerk Technik GmbH | | | Bergstraße; 2; 07743; Jena | R HRB 828282
de-twin-c | DE | Zwillingswerk Technik AG | | | Bergstraße; 3; 07743; Jena | R HRB 838383
de-split | DE | Himmelblau Reisen GmbH | | | Wolke; 7; 30159; Hannover | R HRB 919191
de-umlaut | DE | Jäger Kälte Gebäudetechnik GmbH | | | Eisweg; 3; 89073; Ulm | R HRB 929292
de-bw | DE | BWM Fahrzeugteile GmbH | | | Motorweg; 5; 85049; Ingolstadt | R HRB 939393
de-zeppelin | DE | Zeppelin Ballonfahrten OHG | | | Luftweg; 2; 88045; Friedrichshafen | R HRA 949494
de-kunst | DE | Künstlerkolonie Worpswede e.V. | | | Moorweg; 1; 27726; Worpswede | R VR 5050
de-brau | DE | Brauhaus Zum Goldenen Hirschen AG | | | Hirschgasse; 3; 90402; Nürnberg | V DE844444444
de-druck | DE | Druckerei Gutenberg Nachf. GmbH | | | Letterweg; 4; 55116; Mainz | R HRB 959595
de-optik | DE | Augenoptik Scharfblick GmbH | | | Linse; 5; 07743; Jena | R HRB 969696
fr-huitres | FR | Huîtres Marennes-Oléron EURL | | | Port; 3; 17320; Marennes | R 567891234
es-ferret | ES | Ferretería Hermanos Núñez C.B. | | | Plaza; 1; 41001; Sevilla | V ESE45678901
it-gelato | IT | Gelateria L'Angolo Felice di Rossi Mario | | | Via Po; 2; 10123; Torino | V IT23456789012
nl-water | NL | Waterwerken IJsselmeer B.V. | | | Dijk; 1; 8224 AA; Lelystad | R 34567890
at-schi | AT | Schischule Großglockner GmbH & Co KG | | | Hang; 3; 9844; Heiligenblut | R FN 345678c
ch-schoggi | CH | Schoggi-Träumli GmbH | | | Gasse; 9; 3011; Bern | R CHE-444.555.666
se-kaffe | SE | Räksmörgås & Kaffe HB | | | Torget; 1; 211 34; Malmö | R 969612-3456
fi-sauna | FI | Saunatontut Osakeyhtiö | | | Löylytie; 1; 33100; Tampere | R 3456789-0
pl-chrz | PL | Chrząszcz i Trzcina S.C. | | | ul. Polna; 3; 22-460; Szczebrzeszyn | V PL3456789012
gb-chem | GB | JOHNSON-SMYTHE CHEMISTS LIMITED | | | Market Place; 6; YO1 7LS; York | R 06789012
gb-cardiff | GB | CWMNI CAWL CYFYNGEDIG | Cawl Co | | Castle Street; 2; CF10 1BT; Cardiff | R 07890123
`;

export const handMadeRegistry: readonly RegistryEntry[] = LINES.trim().split('\n').map(readLine);

function readLine(line: string): RegistryEntry {
  const [
    key = '',
    country = '',
    legalName = '',
    trading = '',
    others = '',
    at = '',
    identifiers = '',
    gone = '',
  ] = line.split('|').map((cell) => cell.trim());
  const [street = null, house = null, postcode = null, city = null] = listOf(at, ';');
  return {
    registry: 'HANDMADE',
    registryKey: key,
    legalName,
    tradingName: trading || null,
    otherNames: listOf(others, '/'),
    legalForm: null,
    elfCode: null,
    address: { street, house, postcode, city, country, additional: null },
    identifiers: listOf(identifiers, ';').map((text) => ({
      type: text.startsWith('V ') ? ('VAT_ID' as const) : ('REGISTER_ID' as const),
      value: text.slice(2),
      country,
    })),
    incorporatedAt: null,
    website: null,
    isActive: gone !== '-',
  };
}

function listOf(cell: string, separator: string): string[] {
  return cell
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
