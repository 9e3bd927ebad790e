/** Name styles, places and number formats of companies in thirteen countries. */

/** Names, places and number formats of a country. Weights are shares of all companies. */
export interface Style {
  country: string;
  weight: number;
  forms: readonly string[];
  trades: readonly string[];
  openings: readonly string[];
  endings: readonly string[];
  towns: readonly string[];
  postcodeDigits: number;
  streets: readonly string[];
}

export const texts = (text: string) => text.split(' ');
const GERMANIC_OPENINGS = texts(
  'Ber Hof Stein Wal Lin Schä Mey Krü Brau Roth Licht Mor Gold Sil Nord Süd Eich Bir Tan Wei Schwar Grün Fal Ad Löw Wolf Ros Kai Her Fürst',
);
const GERMANIC_ENDINGS = texts(
  'berger mann stein hofer ner feld bach rot tal heim rich meier müller weg brück burg dorf wald er ing kamp horst beck',
);
const ROMANCE_OPENINGS = texts(
  'Mar Bel Cor Val Font Mont San Pel Ros Car Vil Ter Bar Lam Del Gar Per Mor Fer Cas Mir Tor Alv Sil Cam Bon Dur Lef Gir Rou',
);
const ROMANCE_ENDINGS = texts(
  'tini elli ano eira ez ault eau aine ier oni ardi ato ucci era alho ado ino ard ois ette ière ona etti anti aro',
);
const ENGLISH_OPENINGS = texts(
  'Ash Bar Black Bright Brook Clay Dun East Fair Gold Green Hart High Hol King Lang Mar New Nor Oak Pem Red Rock Sand Shel Stan Stone Sut Thorn West Whit Win Wood',
);
const ENGLISH_ENDINGS = texts(
  'ton ford ley field wood worth well bridge dale ham bury combe stead mere gate man son ridge water brook hill den',
);
const SLAVIC_OPENINGS = texts(
  'Kow Now Wiś Woj Kam Lew Dąb Ziel Szym Koz Jan Maz Krup Nov Dvoř Svob Pros Hor Čern Vel Kral Stan Pav Mil Dob Rad Bog Vlad',
);
const SLAVIC_ENDINGS = texts(
  'alski icki owski ński czyk ák ek ová ovský ović čík enko ová orski ewicz iak ecki anov ička',
);
const NORDIC_OPENINGS = texts(
  'Lind Berg Sjö Ek Gran Häll Øst Vest Nord Sund Dal Strand Ås Björk Holm Kvist Lund Bryn Fjell Skog Vik Sand Hav Kall',
);
const NORDIC_ENDINGS = texts(
  'ström gren qvist berg dal holm sen sson vik gård lund heim näs mark fors stad rud land',
);

export const STYLES: readonly Style[] = [
  style(
    'DE',
    14,
    'GmbH|GmbH|GmbH|GmbH & Co. KG|AG|UG (haftungsbeschränkt)|e.K.|KG|eG',
    'Bau Handel Logistik Transport Consulting Immobilien Verwaltungs Beteiligungs Holding Metallbau Elektrotechnik Maschinenbau Bäckerei Druckerei Spedition Dachdeckerei Gebäudereinigung Solar Software Service Vertrieb Gastronomie Apotheke Autohaus Gartenbau Reisen Medien Sanitär Malerbetrieb Werkzeugbau',
    [GERMANIC_OPENINGS, GERMANIC_ENDINGS],
    'Berlin Hamburg München Köln Leipzig Bremen Dresden Stuttgart Düsseldorf Nürnberg Hannover Kassel Ulm Würzburg',
    5,
    'Hauptstraße Bahnhofstraße Gartenweg Lindenallee Schulstraße Industriestraße',
  ),
  style(
    'AT',
    3,
    'GmbH|GmbH|OG|KG|AG|e.U.',
    'Bau Handel Logistik Consulting Immobilien Holding Tischlerei Elektrotechnik Gasthof Beteiligungs Software Installationen Transporte',
    [GERMANIC_OPENINGS, GERMANIC_ENDINGS],
    'Wien Graz Linz Salzburg Innsbruck Klagenfurt Villach',
    4,
    'Hauptplatz Bahnhofstraße Ringstraße Dorfstraße',
  ),
  style(
    'CH',
    3,
    'AG|GmbH|SA|Sàrl|Sagl',
    'Immobilien Treuhand Consulting Holding Bau Handels Architektur Informatik Garage Beteiligungs Services',
    [GERMANIC_OPENINGS, GERMANIC_ENDINGS],
    'Zürich Bern Basel Genève Lausanne Luzern Lugano Zug',
    4,
    'Bahnhofstrasse Seestrasse Dorfstrasse',
  ),
  style(
    'GB',
    24,
    'LIMITED|LTD|LTD|LTD|PLC|LLP',
    'PROPERTIES SERVICES CONSULTING HOLDINGS GROUP SOLUTIONS CONSTRUCTION TRADING MANAGEMENT DEVELOPMENTS INVESTMENTS TRANSPORT ENGINEERING CARE CLEANING BUILDERS ELECTRICAL FOODS MEDIA TECHNOLOGIES LETTINGS PLUMBING DESIGN FINANCE MOTORS',
    [ENGLISH_OPENINGS, ENGLISH_ENDINGS],
    'London Manchester Birmingham Leeds Glasgow Bristol Liverpool Sheffield Cardiff Edinburgh Nottingham York',
    5,
    'High_Street Station_Road Church_Lane Victoria_Road Mill_Lane',
  ),
  style(
    'FR',
    12,
    'SARL|SAS|SA|SCI|EURL|SNC',
    'Transports Bâtiment Conseil Immobilier Holding Distribution Services Boulangerie Électricité Plomberie Maçonnerie Informatique Restauration Menuiserie Participations',
    [ROMANCE_OPENINGS, ROMANCE_ENDINGS],
    'Paris Lyon Marseille Toulouse Nantes Lille Bordeaux Strasbourg',
    5,
    'Rue_de_la_Gare Avenue_Victor_Hugo Rue_du_Moulin',
  ),
  style(
    'IT',
    9,
    'S.r.l.|S.r.l.|S.p.A.|S.n.c.|S.a.s.',
    'Costruzioni Immobiliare Trasporti Servizi Impianti Alimentari Edilizia Holding Consulenza Meccanica Costruzione',
    [ROMANCE_OPENINGS, ROMANCE_ENDINGS],
    'Roma Milano Torino Napoli Bologna Verona Firenze Bari',
    5,
    'Via_Roma Corso_Italia Via_Garibaldi',
  ),
  style(
    'ES',
    8,
    'S.L.|S.L.|S.A.|S.L.U.',
    'Construcciones Inmobiliaria Transportes Servicios Inversiones Instalaciones Distribuciones Promociones Gestión Hostelería',
    [ROMANCE_OPENINGS, ROMANCE_ENDINGS],
    'Madrid Barcelona Valencia Sevilla Zaragoza Bilbao Málaga',
    5,
    'Calle_Mayor Avenida_de_la_Paz Calle_Real',
  ),
  style(
    'NL',
    5,
    'B.V.|B.V.|N.V.|V.O.F.',
    'Beheer Holding Transport Bouw Vastgoed Advies Handel Installaties Diensten Techniek',
    [GERMANIC_OPENINGS, NORDIC_ENDINGS],
    'Amsterdam Rotterdam Utrecht Eindhoven Groningen Breda',
    4,
    'Kerkstraat Dorpsstraat Molenweg',
  ),
  style(
    'PL',
    7,
    'Sp. z o.o.|Sp. z o.o.|S.A.|Sp. k.|Sp. j.',
    'Budownictwo Transport Usługi Handel Inwestycje Nieruchomości Logistyka Doradztwo Produkcja',
    [SLAVIC_OPENINGS, SLAVIC_ENDINGS],
    'Warszawa Kraków Łódź Wrocław Poznań Gdańsk',
    5,
    'ul._Długa ul._Polna ul._Leśna',
  ),
  style(
    'CZ',
    3,
    's.r.o.|s.r.o.|a.s.|v.o.s.',
    'Stavby Obchod Doprava Služby Invest Reality Technika Servis',
    [SLAVIC_OPENINGS, SLAVIC_ENDINGS],
    'Praha Brno Ostrava Plzeň Olomouc',
    5,
    'Nádražní Hlavní Školní',
  ),
  style(
    'SE',
    5,
    'AB|AB|HB|KB',
    'Bygg Fastigheter Konsult Åkeri Holding Invest El Service Transport Förvaltning',
    [NORDIC_OPENINGS, NORDIC_ENDINGS],
    'Stockholm Göteborg Malmö Uppsala Västerås',
    5,
    'Storgatan Kungsgatan Skolgatan',
  ),
  style(
    'DK',
    3,
    'ApS|ApS|A/S|I/S',
    'Byg Ejendomme Holding Invest Transport Rådgivning El Service',
    [NORDIC_OPENINGS, NORDIC_ENDINGS],
    'København Aarhus Odense Aalborg',
    4,
    'Hovedgaden Vestergade Skolevej',
  ),
  style(
    'NO',
    4,
    'AS|AS|ASA|ANS',
    'Eiendom Bygg Holding Invest Transport Consulting Service Drift',
    [NORDIC_OPENINGS, NORDIC_ENDINGS],
    'Oslo Bergen Trondheim Stavanger',
    4,
    'Storgata Kirkegata Skoleveien',
  ),
];

function style(
  country: string,
  weight: number,
  forms: string,
  trades: string,
  [openings, endings]: [string[], string[]],
  towns: string,
  postcodeDigits: number,
  streets: string,
): Style {
  return {
    country,
    weight,
    forms: forms.split('|'),
    trades: texts(trades),
    openings,
    endings,
    towns: texts(towns),
    postcodeDigits,
    streets: texts(streets).map((street) => street.replaceAll('_', ' ')),
  };
}
