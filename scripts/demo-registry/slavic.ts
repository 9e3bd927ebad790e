import type { Lexicon } from './lexicon.ts';

export const PL: Lexicon = {
  given: 'Błażej|Grażyna|Józef|Łucja|Świętosława|Żaneta',
  surnames:
    'Brzęczyszczykowski|Chrząstkiewiczowa|Gżegżółkowski|Łękołodziejska|Pszczółkiewicz|Szczęśniakowska|Źdźbłowski',
  openings: 'Brze|Dąb|Jaś|Łuk|Miro|Rze|Świ|Żur',
  endings: 'chowia|czanka|dzisław|niewo|porz|szczyk|wójt',
  trades:
    'Piekarnia|Pierogarnia|Budownictwo|Meble|Transport|Ceramika|Cukiernia|Usługi Księgowe|Browar|Wędliny',
  purpose:
    'Przedsiębiorstwo Produkcyjno-Handlowo-Usługowe wspierania rzemieślniczego wytwarzania i ogólnokrajowej sprzedaży',
  and: 'i|&|oraz',
  cities:
    'Warszawa: 00-###|Kraków: 31-###|Łódź: 90-###|Wrocław: 50-###|Szczebrzeszyn: 22-460|Ełk: 19-300|Świnoujście: 72-600',
  streets: 'ul. Długa|al. Jerozolimskie|pl. Na Groblach|ul. 3 Maja|os. Złotego Wieku|ul. Świętego Jana',
  poBox: 'skr. poczt. ##',
  vatId: 'PL##########|PL ###-###-##-##',
  taxId: '##########',
  registerId: '0000######|KRS 0000######',
  order: 'behind',
};

export const CZ: Lexicon = {
  given: 'Bořivoj|Jiřina|Květa|Ondřej|Žofie',
  surnames: 'Čtvrtníčková|Dvořákovec|Hřebíčkovský|Němečkář|Řepkovický|Šťastnohorský|Žďárek',
  openings: 'Bře|Čer|Hrá|Jeř|Kří|Pří|Žlu',
  endings: 'bramice|chovka|dějov|ňovák|stěnice|ťoučko',
  trades: 'Pivovar|Strojírny|Stavebniny|Sklárny|Pekařství|Autoservis|Nábytek|Účetnictví',
  purpose: 'Společnost na podporu řemeslné výroby a celostátního prodeje',
  and: 'a|&',
  cities:
    'Praha 1: 110 00|Praha 4 - Nusle: 140 00|Brno: 6## 00|Plzeň: 301 00|Ústí nad Labem: 400 01|Aš: 352 01',
  streets: 'Nádražní|Školní|Václavské náměstí|Pod Kaštany|č.p.|28. října',
  poBox: 'P.O. BOX ##',
  vatId: 'CZ########',
  taxId: 'CZ########',
  registerId: '########|IČO ########',
  order: 'behind',
};

export const SK: Lexicon = {
  ...CZ,
  given: 'Ľubomír|Ľudmila|Štefan|Žofia',
  surnames: 'Ďurkovičovie|Hôrkovský|Kľačanec|Ľuptákovec|Šťavníková',
  openings: 'Bys|Ďum|Hôr|Ľub|Tat|Vŕb',
  endings: 'ančovo|ianka|ôstok|ľanica|ŕňava',
  trades: 'Pramene|Strojárne|Bryndziareň|Stavby|Doprava|Drevovýroba',
  purpose: 'Spoločnosť na podporu remeselnej výroby a celoštátneho predaja',
  cities: 'Bratislava: 81# ##|Košice: 040 ##|Poprad: 058 01|Banská Štiavnica: 969 01|Žilina: 010 01',
  streets: 'Hlavná|Námestie SNP|Mýtna|Pri Šajbách|Štefánikova',
  vatId: 'SK2#########',
  taxId: '20########',
  registerId: '########|IČO ## ### ###',
};

export const SI: Lexicon = {
  given: 'Anže|Blaž|Špela|Živa',
  surnames: 'Čebularnik|Drčarjevič|Krznaričnik|Šparovčan|Žvegličar',
  openings: 'Bre|Čes|Kra|Pla|Šum|Triž',
  endings: 'ganec|janka|nišče|vščica|žnik',
  trades: 'Gradnje|Čebelarstvo|Vinarstvo|Prevozi|Mizarstvo|Turizem',
  purpose: 'Družba za spodbujanje rokodelske izdelave in prodaje po vsej državi',
  and: 'in|&',
  cities: 'Ljubljana: 1000|Maribor: 2000|Koper/Capodistria: 6000|Škofja Loka: 4220|Žalec: 3310',
  streets: 'Slovenska cesta|Trg svobode|Čopova ulica|Na Žago|Šmartinska',
  poBox: 'p.p. ###',
  vatId: 'SI########',
  taxId: '########',
  registerId: '#######000|#######',
  order: 'behind',
};

export const HR: Lexicon = {
  ...SI,
  given: 'Đurđica|Hrvoje|Nikša|Željka',
  surnames: 'Čvrljaković|Đuranovečki|Lončarević-Šimić|Šćurićan|Žigmanović',
  openings: 'Bje|Čak|Đur|Lič|Šib|Žu',
  endings: 'lovarac|đevo|njača|šćina|vrtić',
  trades: 'Građenje|Ribarstvo|Maslinarstvo|Prijevoz|Ugostiteljstvo|Brodogradnja',
  purpose: 'Društvo za poticanje obrtničke izrade i prodaje na području cijele države',
  and: 'i|&',
  cities: 'Zagreb: 10000|Split: 21000|Rijeka: 51000|Dubrovnik: 20000|Čakovec: 40000',
  streets: 'Ilica|Trg bana Jelačića|Đakovačka|Obala kralja Tomislava|Ulica Đure Đakovića',
  poBox: 'p.p. ##',
  vatId: 'HR###########',
  taxId: '###########',
  registerId: '080######|MBS 080######',
};

export const BG: Lexicon = {
  given: 'Божидар|Цветелина|Юлиян|Щерион',
  surnames: 'Бързаков|Гюзелевски|Жълтичанов|Цанкоморски|Щъркелов|Юручковска',
  openings: 'Бал|Гор|Жар|Лъч|Пир|Розо|Щур|Ябъл',
  endings: 'аница|вишки|еждан|ослав|ълина|ювец',
  trades: 'Хлебозавод|Строителство|Транспорт|Розово масло|Винарна|Консерви|Мебели|Счетоводна къща',
  purpose: 'Дружество за насърчаване на занаятчийското производство и продажбата в цялата страна на',
  and: 'и|&',
  cities: 'София: 1###|Пловдив: 4###|Варна: 9###|Бургас: 8###|Велико Търново: 5000|Ямбол: 8600',
  streets: 'бул. Витоша|ул. Шипка|ж.к. Люлин, бл. 5, вх. А|пл. Съединение|ул. Шести септември',
  poBox: 'п.к. ##',
  vatId: 'BG#########',
  taxId: '#########',
  registerId: '#########|ЕИК #########',
  order: 'quoted behind',
  latin: 'by letter',
};
