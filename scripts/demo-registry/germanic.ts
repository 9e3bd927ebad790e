import type { Lexicon } from './lexicon.ts';

const GERMAN = {
  given: 'Anna|Jürgen|Käthe|Lukas|Mareike|Özlem|Sören|Ute|Wolfgang|Zoë',
  surnames:
    'Ährenkranz|Brömmelkamp|Döllinghaus|Fichtelmoser|Grünzweig|Höppenstedt|Jansenbrügge|Kröpelin-Voß|Lützelschwab|Mühlenbrock|Nüßlinger|Öttermann|Quastenflug|Strüvenkamp|Überlacker|Weißenrieder|Zwölfpfennig',
  openings: 'Mor|Tar|Vel|Nor|Gla|Brü|Löw|Stro|Hal|Fen|Wes|Zir|Küh|Al',
  endings: 'galis|venta|dorana|hövel|wingen|lumar|bertia|stenau|ßling|moritz|kantor|tauris',
  trades:
    'Bäckerei|Maschinenbau|Gebäudetechnik|Großhandel|Spedition|Müllerei|Weinhandlung|Zimmerei|Druckerei|Röstwerk|Vermögensverwaltung|Gärtnerei|Schädlingsbekämpfung|Softwarehaus',
  purpose:
    'Gesellschaft zur Förderung und Verbreitung der handwerklichen Herstellung und des überregionalen Vertriebs von',
};

export const DE: Lexicon = {
  ...GERMAN,
  and: '&|und|u.',
  cities:
    'Berlin: 10###|Hamburg: 20###|München: 80###|Köln: 50###|Frankfurt am Main: 60###|Frankfurt (Oder): 1523#|Görlitz: 02826|Lübeck: 2355#|Rothenburg ob der Tauber: 91541|Au: 72280',
  streets:
    'Hauptstraße|Am Löschteich|Straße des 17. Juni|Bürgermeister-Smidt-Str.|An der Alten Ziegelei|Ö-Weg|Platz der Republik',
  poBox: 'Postfach ####',
  vatId: 'DE#########',
  taxId: '##/###/#####',
  registerId: 'HRB ##### B|HRA ####|GnR ###|Amtsgericht Köln HRB #####|HRB #####|VR ####',
  order: 'behind',
};

export const AT: Lexicon = {
  ...GERMAN,
  and: '&|und',
  surnames: `${GERMAN.surnames}|Hinterwaldecker|Obermoosgruber|Wögerbauerlein`,
  trades:
    'Tischlerei|Gasthof|Installationen|Handels|Baugesellschaft|Trafik|Weingut|Seilbahnen|Konditorei|Immobilien|Schischule',
  cities:
    'Wien: 10#0|Graz: 801#|Linz: 402#|Innsbruck: 602#|Klagenfurt am Wörthersee: 9020|St. Pölten: 3100|Gmünd: 3950',
  streets: 'Ringstraße|Dorfplatz|Wörtherseestraße|Äußere Mariahilfer Straße|Nr.|Kirchengasse',
  poBox: 'Postfach ##',
  vatId: 'ATU########',
  taxId: '## ###/####',
  registerId: 'FN ######a|######f',
  order: 'behind',
};

export const CH: Lexicon = {
  ...GERMAN,
  given: 'Beat|Chantal|Gian|Loïc|Reto|Urs|Ornella',
  surnames: 'Bünzlimatter|Chèvremont-Dubuisson|Gäggelisberg|Känelmann|Muggeröttli|Quadrigattoni|Zumsteinegg',
  trades:
    'Treuhand|Uhren|Käserei|Garage|Informatik|Fiduciaire|Boulangerie|Costruzioni|Ingenieure|Carrosserie|Bijouterie',
  and: '&|und|et|e',
  cities:
    'Zürich: 800#|Genève: 120#|Basel: 405#|Lugano: 690#|Neuchâtel: 2000|Chur: 7000|Biel/Bienne: 250#|Delémont: 2800',
  streets: 'Seestrasse|Rue du Rhône|Via Nassa|Bahnhofstrasse|Chemin des Écoliers|Oberdorf',
  poBox: 'Postfach|Case postale ###',
  vatId: 'CHE-###.###.### MWST|CHE-###.###.### TVA|CHE######### IVA',
  taxId: '',
  registerId: 'CHE-###.###.###|CH-020.#.###.###-#',
  order: 'behind',
};

export const LI: Lexicon = {
  ...CH,
  trades: 'Treuhand|Präzisionstechnik|Weingut|Stiftungsverwaltung|Dentaltechnik|Beteiligungen',
  cities: 'Vaduz: 9490|Schaan: 9494|Balzers: 9496|Triesenberg: 9497',
  streets: 'Städtle|Landstrasse|Im Äscherle|Austrasse',
  vatId: '',
  taxId: '#####',
  registerId: 'FL-0002.###.###-#',
  forms: 'AG|GmbH|Anstalt|Stiftung|Trust reg.|Est.',
};

const DUTCH = {
  given: 'Anouk|Daan|Femke|IJsbrand|Joost|Noor|Zoë',
  surnames:
    "van der Zilverkamp|ter Braakhuizen|de Wit-Groenewegen|'t Hooft-Molenaar|IJzerman-Plas|Op den Kelderhof|Schaepdrijverszoon",
  openings: 'Vel|Kor|Zil|Bru|Haa|Mee|IJs|Wou|Dui',
  endings: 'dermoor|vaart|linge|kamp|zicht|reus|borne|waarde|stroom',
  trades:
    'Kaashandel|Fietsenmakerij|Scheepsbouw|Bloemenveiling|Bouwbedrijf|Adviesbureau|Bakkerij|Installatietechniek|Drukkerij|Zuivel',
  purpose:
    'Maatschappij tot bevordering van de ambachtelijke vervaardiging en de grensoverschrijdende verkoop van',
};

export const NL: Lexicon = {
  ...DUTCH,
  and: '&|en',
  cities:
    "Amsterdam: 10## @@|Rotterdam: 30## @@|'s-Gravenhage: 25## @@|'s-Hertogenbosch: 52## @@|Súdwest-Fryslân: 86## @@|Utrecht: 35## @@|Ee: 9131 @@",
  streets: "Kerkstraat|'t Zand|2e Oude Heselaan|Plein 1944|IJburglaan|Lange Voorhout",
  poBox: 'Postbus #####',
  vatId: 'NL#########B##',
  taxId: '#########',
  registerId: '########|KvK ########',
  order: 'behind',
};

export const BE: Lexicon = {
  ...DUTCH,
  given: 'Amélie|Bart|Chloé|Gwendolien|Jean-Luc|Wout',
  surnames: "Van de Putte-Delvigne|D'Hoogepeer|Dewaelsteen|Lambrechtsoone|Plumequette|Vandenbrouckère-Leroix",
  trades:
    'Brouwerij|Chocolaterie|Friterie|Bouwwerken|Transports|Boulangerie|Diamanthandel|Toitures|Tuinaanleg',
  and: '&|en|et',
  cities:
    'Brussel: 1000|Bruxelles: 10##|Antwerpen: 20##|Liège: 40##|Gent: 90##|Ixelles: 1050|Sint-Pieters-Woluwe: 1150|Eupen: 4700|As: 3665',
  streets: 'Rue de la Loi|Grote Markt|Place Flagey|Gemeindestraße|Avenue Louise|Kaai',
  poBox: 'Postbus ##|Boîte postale ##|bus #',
  vatId: 'BE0#########',
  taxId: '',
  registerId: '0###.###.###|RPR Gent 0###.###.###',
  order: 'behind',
};

export const LU: Lexicon = {
  ...GERMAN,
  given: 'Claude|Marguerite|Nic|Yolande',
  surnames: 'Schmitgenmuller|Weydertloos|Kieffergrond|Thillemans-Reuter',
  trades: 'Participations|Immobilière|Invest|Fiduciaire|Holding|Garage|Boucherie|Real Estate',
  and: '&|et',
  cities: 'Luxembourg: L-1###|Esch-sur-Alzette: L-40##|Differdange: L-45##|Ettelbrück: 90##',
  streets: "Boulevard Royal|Rue de l'Eau|Op der Hekt|Avenue J.F. Kennedy|Beim Schlass",
  poBox: 'B.P. ####',
  vatId: 'LU########',
  taxId: '',
  registerId: 'B######|B ######',
  order: 'behind',
};

export const GB: Lexicon = {
  given: 'Aoife|Dafydd|Eleanor|Hamish|Siân|Winifred',
  surnames:
    "Ashcombe-Fairweather|Brackenthorpe|Cholmonderley|Fotheringswick|MacQuillanbrae|O'Dunnaghan|Pembertonshaw|St John Wrexley|Ap Gwynfryn",
  openings: 'Bram|Thorn|Wex|Ash|Kel|Pem|Quil|Stan|Hol|Ever',
  endings: 'bleworth|ingtree|marrow|castle|dunnet|brookley|wick-on-Lea|sett|lowfield',
  trades:
    'Bakery|Engineering|Haulage|Cleaning Services|Joinery|Consulting|Fish & Chips|Estates|Plumbing and Heating|Brewery|Interiors|Holdings',
  purpose:
    'Society for the Promotion and Nationwide Distribution by Road, Rail and Canal of Traditionally Manufactured',
  and: '&|and',
  cities:
    'London: SW1A #@@|London: EC#@ #@@|Manchester: M# #@@|Glasgow: G## #@@|Cardiff: CF## #@@|Belfast: BT# #@@|Penzance: TR18 #@@|Ynys Môn: LL## #@@|Westward Ho!: EX39 #@@',
  streets:
    "High Street|St Mary's Mews|The Old Rectory, Church Lane|Unit 4B Riverside Industrial Estate|Princes Street|Heol y Frenhines",
  poBox: 'PO Box ###',
  vatId: 'GB#########|GB ### #### ##',
  taxId: '##########',
  registerId: '0#######|1#######|SC######|NI######|OC######',
  order: 'behind',
};

export const IE: Lexicon = {
  ...GB,
  given: 'Caoimhe|Diarmuid|Gráinne|Pádraig|Siobhán',
  surnames: "Ó Súilleabháinmór|Ní Dhonnabháin|O'Flahertigan|McGillinbhride|Brannagan-Quirke",
  trades: 'Dairy|Whiskey|Aviation Leasing|Peat|Linen|Bookmakers|Dólás|Pharma|Seafoods',
  cities:
    'Dublin: D0# @###|Cork: T12 @###|Gaillimh: H91 @###|Baile Átha Cliath: D1# @###|Dún Laoghaire: A96 @###|Letterkenny: F92 @###',
  streets: "O'Connell Street|Sráid na Mainistreach|St Stephen's Green|Main Street|Ballynahinch",
  poBox: 'P.O. Box ###',
  vatId: 'IE#######T|IE#######@H',
  taxId: '#######@@',
  registerId: '######',
};
