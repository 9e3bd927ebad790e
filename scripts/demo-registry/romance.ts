import type { Lexicon } from './lexicon.ts';

const FRENCH = {
  given: 'Amélie|Benoît|Chloé|Éloïse|François|Hélène|Loïc|Noël|Zoé',
  surnames:
    "Aubépinois|Bénézetière|de La Fauconnerie|Chevrefeuillet|D'Ormessange|Lagrangefort|L'Huilleray|Œuvrard-Plantin|Sauvageonnet|Trémouillac",
  openings: 'Bel|Cor|Lav|Mir|Péri|Som|Tré|Val|Ys',
  endings: 'andière|ombreuse|ançay|illoire|éaumont|ixelle|urienne|osaille',
  trades:
    "Boulangerie|Menuiserie|Garage|Fromagerie|Imprimerie|Transports|Château|Plomberie|Brûlerie|Pâtisserie|Œuvres d'Art|Conseil",
  purpose:
    "Société pour l'encouragement et le développement de la fabrication artisanale et de la distribution nationale des",
  and: '&|et',
};

export const FR: Lexicon = {
  ...FRENCH,
  cities:
    "Paris: 750##|Lyon: 6900#|Marseille: 1300#|Paris Cedex 08: 75379|L'Haÿ-les-Roses: 94240|Saint-Étienne: 42000|Y: 80190|Les Sables-d'Olonne: 85100|Saint-Denis (La Réunion): 97400",
  streets:
    "Rue de la Soie|Avenue Foch|Quai du Hâble|Place de l'Étoile|Rue du 8-Mai-1945|Lieu-dit Le Bourg|Impasse des Œillets",
  poBox: 'BP ###|CS #####',
  vatId: 'FR###########|FR@@#########',
  taxId: '',
  registerId: '### ### ###|#########|RCS Lyon ### ### ###|### ### ### #####',
  order: 'behind',
};

export const MC: Lexicon = {
  ...FRENCH,
  trades: 'Yachting|Immobilière|Joaillerie|Conseil|Brokerage',
  cities: 'Monaco: 98000|Monte-Carlo: 98000',
  streets: 'Boulevard des Moulins|Avenue Princesse Grace|Quai Antoine Ier',
  poBox: 'BP ###',
  vatId: 'FR###########',
  taxId: '',
  registerId: '##S#####|RCI ##S#####',
  order: 'behind',
  forms: 'SARL|S.A.M.|SCI|SCS|S.N.C.',
};

export const IT: Lexicon = {
  given: 'Chiara|Ettore|Giosuè|Letizia|Nicolò|Niccolò|Zelinda',
  surnames:
    "Accordinelli|Beltrametto|D'Angelantoniuzzi|Dell'Acquafresca|Ferracciolo|Lo Presti-Vangelo|Pasqualottini|Querciagrossa",
  openings: 'Bel|Cor|Mon|Ser|Tra|Ven|Zaf|Lum',
  endings: 'avento|inara|telvo|oscuro|iglione|erosa|ottavia|anuova',
  trades:
    'Pastificio|Officine Meccaniche|Cantina|Trattoria|Edilizia|Ceramiche|Moda|Autotrasporti|Gelateria|Tipografia|Consulenze',
  purpose:
    'Società per la promozione della produzione artigianale e della commercializzazione sul territorio nazionale di',
  and: '&|e',
  cities:
    "Roma: 001##|Milano: 201##|Napoli: 801##|Venezia: 301##|L'Aquila: 67100|Forlì-Cesena: 47121|Bolzano/Bozen: 39100|Re: 28856",
  streets:
    "Via Roma|Piazza dell'Unità d'Italia|Fondamenta San Lorenzo|Via XXV Aprile|Strada Provinciale 12|Località Cà Bianca",
  poBox: 'Casella postale ###',
  vatId: 'IT###########|###########',
  taxId: '###########',
  registerId: 'MI-#######|REA RM ######|NA ######',
  order: 'behind',
};

export const ES: Lexicon = {
  given: 'Begoña|Íñigo|Jesús|Lucía|Martín|Núria|Xoán',
  surnames:
    'Aguirrezabalaga-Sota|Bustamontero|de la Fuenseca|Echevarriondo|Ibáñezuela|Muñozabal|Peñalosilla|Zuñigarte y Ruiz',
  openings: 'Alba|Cam|Fer|Gar|Mon|Ser|Tor|Val',
  endings: 'ñuela|riza|cástaro|doñez|quilla|vientos|güero|luz',
  trades:
    'Ferretería|Panadería|Construcciones|Aceites|Zapatería|Transportes|Cerámica|Conservas|Peluquería|Ingeniería|Viñedos',
  purpose:
    'Compañía para la promoción de la fabricación artesanal y de la distribución en todo el territorio nacional de',
  and: 'y|e|&',
  cities:
    "Madrid: 280##|Barcelona: 080##|Sevilla: 410##|Donostia-San Sebastián: 2000#|A Coruña: 1500#|L'Hospitalet de Llobregat: 0890#|Alacant: 0300#",
  streets:
    'Calle Mayor|Rambla de Catalunya|Plaza de España|C/ Ñuñoa|Polígono Industrial La Peña, parcela 7|Gran Vía',
  poBox: 'Apartado de correos ###',
  vatId: 'ESB########|ESA########|B-########',
  taxId: 'B########',
  registerId: 'M-######|Tomo ####, Folio ##, Hoja B-######',
  order: 'behind',
};

export const PT: Lexicon = {
  given: 'Conceição|Gonçalo|Inês|João|Luísa',
  surnames: 'Albuquerquinho|Bragançola|da Silva Fontanela|Gonçalvinho|Magalhãesteves|Pêra-Marinho',
  openings: 'Alv|Bra|Cas|Lus|Mar|Oli|Ser',
  endings: 'ião|inhas|eçada|orense|alvão|eirós|ucha',
  trades: 'Pastelaria|Cortiças|Conservas|Construções|Azulejos|Adegas|Têxteis|Padaria|Hotelaria',
  purpose:
    'Companhia para a promoção da fabricação artesanal e da distribuição em todo o território nacional de',
  and: '&|e',
  cities:
    'Lisboa: 1###-###|Porto: 4###-###|Braga: 4700-###|Évora: 7000-###|Câmara de Lobos: 9300-###|Póvoa de Varzim: 4490-###',
  streets: 'Rua Augusta|Avenida da Liberdade|Praça do Município|Travessa da Conceição|Largo da Sé',
  poBox: 'Apartado ####',
  vatId: 'PT#########|#########',
  taxId: '#########',
  registerId: '#########|####/######',
  order: 'behind',
};

export const RO: Lexicon = {
  given: 'Ștefania|Ionuț|Mihăiță|Răzvan|Țuca',
  surnames: 'Brânzescuțu|Căpitanuș|Dumbrăvoiu|Pădureanuță|Șerbănoaica|Țărăncuș',
  openings: 'Bră|Câm|Dum|Măr|Șer|Țin|Ză',
  endings: 'dulești|ineasca|țioara|vânătu|oșani|ulița',
  trades: 'Panificație|Construcții|Transporturi|Mobilă|Agricola|Morărit|Încălțăminte|Turism',
  purpose:
    'Societate pentru promovarea fabricării tradiționale și a distribuției pe întreg teritoriul național de',
  and: 'și|&',
  cities:
    'București: 01####|Cluj-Napoca: 400###|Iași: 700###|Timișoara: 300###|Târgu Mureș: 540###|Constanța: 900###',
  streets: 'Strada Mare|Bulevardul Unirii|Șoseaua Kiseleff|Calea Victoriei|Piața Sfatului',
  poBox: 'Căsuța poștală ###',
  vatId: 'RO########|RO#######',
  taxId: '########',
  registerId: 'J40/####/2001|J12/###/1994',
  order: 'behind',
};

export const MT: Lexicon = {
  given: 'Ċensa|Ġorġ|Karmenu|Żaren',
  surnames: 'Borġ-Cardonella|Ċaruanella|Farruġġin|Grecħtaliano|Vella-Żammitt',
  openings: 'Għar|Ħal|Mel|San|Xem|Żeb',
  endings: 'bija|ħarrat|qasira|tagħna|uġi|lunata',
  trades: 'Gaming|Ħobż|Shipping|Estates|Sajd|Yachts|Catering',
  purpose:
    'Company for the Promotion of the Traditional Making and the Distribution throughout the Islands of',
  and: '&|u',
  cities: 'Valletta: VLT ####|Sliema: SLM ####|Birkirkara: BKR ####|Ħal Qormi: QRM ####|San Ġiljan: STJ ####',
  streets: "Triq ir-Repubblika|Strait Street|Triq l-Għajn|Xatt Ta' Xbiex",
  poBox: 'P.O. Box ##',
  vatId: 'MT########',
  taxId: '#########',
  registerId: 'C #####|C#####',
  order: 'behind',
};
