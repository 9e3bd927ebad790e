import type { CountryForms } from './table.ts';

export const HR: CountryForms = {
  languages: ['HR'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      [
        'HR_DOO',
        'OQWO',
        'Društvo s ograničenom odgovornošću; d.o.o.',
        'Društvo s ograničenom odgovornošću (jednostavno društvo s ograničenom odgovornošću)',
      ],
      ['HR_JDOO', 'OQWO', 'Jednostavno društvo s ograničenom odgovornošću; j.d.o.o.'],
    ],
    PUBLIC_COMPANY: [
      ['HR_DD', 'LUMA', 'Dioničko društvo; d.d.'],
      [
        'HR_SE',
        'E9CM',
        'Europsko društvo; SE; Societas Europaea',
        'Europsko društvo (Societas Europaea, skraćeno SE)',
      ],
    ],
    PARTNERSHIP: [
      ['HR_JTD', 'KP34', 'Javno trgovačko društvo; j.t.d.'],
      ['HR_KD', 'MF7P', 'Komanditno društvo; k.d.'],
      ['HR_ORTASTVO', null, 'Ortaštvo', 'Ortakluk; Zajednički obrt'],
      ['HR_GIU', '2FED', 'Gospodarsko interesno udruženje; GIU'],
      [
        'HR_EGIU',
        '3OW3',
        'Europsko gospodarsko interesno udruženje; EGIU',
        'Europsko gospodarsko interesno udruženje (skraćeno EGIU)',
      ],
    ],
    SOLE_TRADER: [
      ['HR_OBRT', null, 'Obrt; obrt', 'Obrtnik; Paušalni obrt; Slobodno zanimanje; Fizička osoba'],
      ['HR_TP', '9D9U', 'Trgovac pojedinac; t.p.'],
      ['HR_OPG', null, 'Obiteljsko poljoprivredno gospodarstvo; OPG'],
    ],
    COOPERATIVE: [
      ['HR_ZADRUGA', 'G5RH', 'Zadruga; zadruga', 'Zadruge; Poljoprivredna zadruga'],
      ['HR_SAVEZ_ZADRUGA', 'IVVD', 'Savez zadruga'],
      ['HR_KREDITNA_UNIJA', '24EG', 'Kreditna unija'],
      [
        'HR_SCE',
        '8VRU',
        'Europska zadruga; SCE',
        'Europska zadruga (Societas Cooperativa Europaea, skraćeno SCE)',
      ],
    ],
    GOVERNMENT: [
      ['HR_DRZAVNA_UPRAVA', 'TSA0', 'Tijelo državne uprave', 'Ministarstvo; Državno tijelo'],
      [
        'HR_SAMOUPRAVA',
        'XQLW',
        'Jedinica lokalne ili područne (regionalne) samouprave',
        'Općina; Grad; Županija; Jedinica lokalne samouprave',
      ],
      [
        'HR_AGENCIJA',
        '6RD2',
        'Agencija ili druga samostalna pravna osoba s javnim ovlastima',
        'Agencije i druge samostalne pravne osobe s javnim ovlastima',
      ],
    ],
    OTHER: [
      ['HR_USTANOVA', 'ZFQS', 'Ustanova', 'Javna ustanova'],
      ['HR_ZAJEDNICA_USTANOVA', 'YA9S', 'Zajednica ustanova'],
      ['HR_UDRUGA', '274G', 'Udruga'],
      ['HR_ZAKLADA', 'ZMY8', 'Zaklada'],
      ['HR_FUNDACIJA', '9PZC', 'Fundacija'],
      ['HR_FOND', '28RA', 'Fond'],
      ['HR_VJERSKA_ZAJEDNICA', 'SPJ7', 'Vjerska zajednica'],
      [
        'HR_PODRUZNICA',
        'NRTG',
        'Podružnica; Podružnica; Podružnica Zagreb',
        'Podružnica inozemnog društva; Podružnica stranog osnivača',
      ],
    ],
  },
};

export const SI: CountryForms = {
  languages: ['SL'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [['SI_DOO', 'KBKD', 'Družba z omejeno odgovornostjo; d.o.o.']],
    PUBLIC_COMPANY: [
      ['SI_DD', '1OR3', 'Delniška družba; d.d.'],
      ['SI_KDD', 'WZ78', 'Komanditna delniška družba; k.d.d.'],
      ['SI_SE', '4A8T', 'Evropska delniška družba; SE; Societas Europaea'],
    ],
    PARTNERSHIP: [
      ['SI_DNO', 'SD81', 'Družba z neomejeno odgovornostjo; d.n.o.'],
      ['SI_KD', 'OPDJ', 'Komanditna družba; k.d.'],
      ['SI_CIVILNA_ODVETNISKA', 'S1UI', 'Civilna odvetniška družba', 'Odvetniška družba'],
      ['SI_GIZ', 'UDQJ', 'Gospodarsko interesno združenje; GIZ'],
      ['SI_EGIZ', 'Q2EV', 'Evropsko gospodarsko interesno združenje; EGIZ'],
    ],
    SOLE_TRADER: [
      [
        'SI_SP',
        'QW8S',
        'Samostojni podjetnik posameznik; s.p.',
        'Samostojni podjetnik; Fizična oseba; Samozaposleni',
      ],
    ],
    COOPERATIVE: [
      ['SI_ZADRUGA', '2CTG', 'Zadruga', 'Kmetijska zadruga; Obrtna zadruga; Stanovanjska zadruga'],
      ['SI_ZOO', 'RAX7', 'Zadruga z omejeno odgovornostjo; z.o.o.; Zadruga z omejeno odgovornostjo'],
      ['SI_ZBO', 'TMVE', 'Zadruga brez odgovornosti; z.b.o.; Zadruga brez odgovornosti'],
      ['SI_SCE', 'RG9Z', 'Evropska zadruga; SCE', 'Societas Cooperativa Europaea'],
    ],
    GOVERNMENT: [
      ['SI_OBCINA', null, 'Občina', 'Mestna občina; Državni organ; Ministrstvo; Organ v sestavi'],
      ['SI_REPUBLIKA', 'X94Z', 'Republika Slovenija'],
      ['SI_JAVNO_PODJETJE', 'I7MN', 'Javno podjetje'],
      ['SI_JAVNI_ZAVOD', null, 'Javni zavod'],
      ['SI_JAVNA_AGENCIJA', '14AT', 'Javna agencija'],
      ['SI_JAVNI_SKLAD', 'UESF', 'Javni sklad'],
      ['SI_CENTRALNA_BANKA', '34PA', 'Centralna banka'],
    ],
    OTHER: [
      ['SI_DRUSTVO', 'HJCS', 'Društvo, zveza društev', 'Društvo; Zveza društev; Nevladna organizacija'],
      ['SI_ZAVOD', null, 'Zavod', 'Zasebni zavod'],
      ['SI_USTANOVA', '6MPY', 'Ustanova', 'Fundacija'],
      ['SI_DVZ', 'ICQT', 'Družba za vzajemno zavarovanje; d.v.z.'],
      ['SI_SKLAD', 'M84A', 'Sklad'],
      ['SI_SKUPNOST_LASTNIKOV', 'KH4O', 'Skupnost lastnikov stanovanj'],
      ['SI_VERSKA_SKUPNOST', '5LXY', 'Verska skupnost', 'Verska skupnost in podobne verske organizacije'],
      [
        'SI_PODRUZNICA',
        null,
        'Podružnica tujega podjetja; Podružnica tujega podjetja; Podružnica Ljubljana; Podružnica v Sloveniji',
        'Podružnica; Tuja pravna oseba; Tuja pravna oseba po ZZK-1',
      ],
    ],
  },
};
