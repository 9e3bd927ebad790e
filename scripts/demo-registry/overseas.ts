import type { Lexicon } from './lexicon.ts';

export const GR: Lexicon = {
  given: 'Αθηνά|Γιώργος|Ελένη|Ιωάννης|Χρυσούλα',
  surnames: 'Αλεξανδροπουλάκης|Γεροντομπάλης|Ξανθομάλλης|Παπαχρυσοστομίδης|Ψαρομηλίγκου',
  openings: 'Αμβρ|Γαλ|Δελφ|Ηλι|Μελ|Ωρι',
  endings: 'άνεια|ηδόνα|οπούλι|υσία|ώνη',
  trades: 'Ελαιουργία|Ναυτιλιακή|Τεχνική|Αρτοποιία|Τουριστική|Οινοποιία|Κατασκευές|Λογιστική',
  purpose: 'Εταιρεία για την προώθηση της χειροτεχνικής παραγωγής και της πανελλαδικής διάθεσης',
  and: '&|και',
  cities: 'Αθήνα: 10# ##|Θεσσαλονίκη: 54# ##|Πειραιάς: 18# ##|Ηράκλειο Κρήτης: 71# ##|Ιωάννινα: 45###',
  streets: 'Πανεπιστημίου|Οδός Ερμού|Λεωφόρος Συγγρού|28ης Οκτωβρίου|Πλατεία Αριστοτέλους',
  poBox: 'Τ.Θ. ###',
  vatId: 'EL#########',
  taxId: '#########',
  registerId: '############|ΓΕΜΗ ############',
  order: 'behind',
  latin: 'by letter',
};

export const CY: Lexicon = {
  ...GR,
  surnames: 'Αριστοδημουλλάς|Καραολίδης|Χατζηπαντελίδου|Γιασουμιώτης',
  trades: 'Ναυτιλιακή|Αλλαντοποιία|Ξενοδοχειακή|Εμπορική|Shipping|Holdings',
  cities: 'Λευκωσία: 1###|Λεμεσός: 3###|Λάρνακα: 6###|Πάφος: 8###',
  streets: 'Λεωφόρος Μακαρίου Γ΄|Οδός Λήδρας|Ανεξαρτησίας|Ποσειδώνος',
  vatId: 'CY########@',
  taxId: '########@',
  registerId: 'ΗΕ ######|HE######',
};

const AMERICAN = {
  given: 'Abigail|D’Andre|José|Mary-Lou|Thaddeus',
  surnames: "Appleworth|McAllisterfield|O'Hanrahanson|Van Nostrandt|Whitefeatherstone|St. Clairmont",
  openings: 'Bram|Cald|Fair|Hick|Mead|Oak|Sil',
  endings: 'bury Ridge|derwood|lington|mont Hollow|stead|verado',
  trades: 'Trucking|Roofing|Bakery|Software|Lumber|Pharmacy|Realty|Logistics|Hardware|Diner',
  purpose: 'Association for the Advancement of the Traditional Manufacture and Interstate Distribution of',
  and: '&|and',
};

export const US: Lexicon = {
  ...AMERICAN,
  cities:
    'New York: 100##|San Francisco: 941##|Coeur d’Alene: 83814|St. Paul: 551##|Winston-Salem: 271##-####|Truth or Consequences: 87901|Wilmington: 198##',
  streets:
    'Main St|5th Ave|Martin Luther King Jr. Blvd|Corporation Trust Center, Orange St|County Road 42|E 1/2 Rd',
  poBox: 'P.O. Box ####',
  vatId: '',
  taxId: '##-#######',
  registerId: 'C#######|DE#######|L############',
  order: 'behind',
};

export const CA: Lexicon = {
  ...AMERICAN,
  given: 'Étienne|Gordon|Marie-Ève|Tāne',
  surnames: 'Beaulieu-Desrosiers|Fraserburgh|Lachance-Tremblayon|MacEachernly',
  trades: 'Érablière|Forestry|Fisheries|Mining|Boulangerie|Hockey Supplies|Construction|Énergie',
  and: '&|et|and',
  cities:
    'Toronto: M5@ #@#|Montréal: H2@ #@#|Trois-Rivières: G8@ #@#|Vancouver: V6@ #@#|Saint-Louis-du-Ha! Ha!: G0L 3S0|Iqaluit: X0A 0H0',
  streets: 'Yonge Street|Rue Sainte-Catherine O.|Rang 5|Portage Avenue|Chemin de la Côte-des-Neiges',
  poBox: 'PO Box ###|C.P. ###',
  vatId: '',
  taxId: '#########RT0001',
  registerId: '11########|######-#|BC#######',
  order: 'behind',
};

export const AU: Lexicon = {
  ...AMERICAN,
  surnames: 'Bandicootworth|Coolabahstone|Jindalgarra|Woolcottingham',
  openings: 'Bil|Coo|Gun|Kur|War|Yar',
  endings: 'abanga|dindi|garoo|labong|nambool',
  trades: 'Roasters|Mining|Shearing|Surfboards|Winery|Roadhouse|Plumbing|Abalone',
  purpose: 'Company for the Promotion of the Traditional Making and the Continental Distribution of',
  cities: 'Sydney: 20##|Melbourne: 30##|Perth: 60##|Alice Springs: 0870|Woolloomooloo: 2011',
  streets: 'Collins St|Pitt Street|Stuart Highway|Lot 7 Bore Track|The Esplanade',
  poBox: 'GPO Box ####|PO Box ###',
  vatId: '',
  taxId: '## ### ### ###',
  registerId: '### ### ###|ACN ### ### ###',
  order: 'behind',
};

export const NZ: Lexicon = {
  ...AU,
  given: 'Aroha|Hēmi|Kahurangi|Wiremu',
  surnames: 'Kererūtanga|Tāwhaimoana|Waitākereson|Whangārua',
  openings: 'Aro|Kau|Māh|Pōh|Tū|Whē',
  endings: 'hinau|kahika|moana|nuku|rangi',
  trades: 'Kiwifruit|Mānuka|Dairy|Wool|Tramping|Seafoods|Pounamu',
  cities: 'Auckland: 10##|Wellington: 60##|Whangārei: 01##|Ōtautahi Christchurch: 80##',
  streets: 'Queen Street|Lambton Quay|Te Awa Avenue|State Highway 1',
  poBox: 'PO Box ####|Private Bag ###',
  taxId: '###-###-###',
  registerId: '9429########|#######',
};

export const JP: Lexicon = {
  given: '一郎|花子|健太|美咲',
  surnames: '朝霧谷|白鷺沢|月夜野原|五百旗森|虹ノ松|春日井田',
  openings: '青葉|朝凪|風花|銀河|桜月|翠嶺|星野台|緑風|フジヤマ|サンリク|アオゾラ|ネオン',
  endings: '工業|食品|電機|商会|運輸|建設|製作所|テック|フーズ|システムズ',
  trades: '製パン|醸造|水産|印刷|不動産|設計|農園|薬局|旅館',
  purpose: '伝統工芸品の製造及び全国的な販売の振興並びに普及を目的とする',
  and: 'と|＆|・',
  cities:
    '東京都千代田区: 10#-00##|大阪市北区: 530-00##|札幌市中央区: 060-00##|京都市東山区: 605-00##|那覇市: 900-00##|津市: 514-00##',
  streets: '丸の内|本町二丁目|梅田|祇園町南側|大通西|字中央',
  poBox: '私書箱第##号',
  vatId: 'T#############',
  taxId: '',
  registerId: '#############',
  order: 'joined',
  usualForm: 'JP_KK',
  latin: {
    青葉: 'Aoba',
    朝凪: 'Asanagi',
    風花: 'Kazahana',
    銀河: 'Ginga',
    桜月: 'Sakurazuki',
    翠嶺: 'Suirei',
    星野台: 'Hoshinodai',
    緑風: 'Ryokufu',
    フジヤマ: 'Fujiyama',
    サンリク: 'Sanriku',
    アオゾラ: 'Aozora',
    ネオン: 'Neon',
    工業: ' Kogyo',
    食品: ' Shokuhin',
    電機: ' Denki',
    商会: ' Shokai',
    運輸: ' Unyu',
    建設: ' Kensetsu',
    製作所: ' Seisakusho',
    テック: ' Tech',
    フーズ: ' Foods',
    システムズ: ' Systems',
  },
};
