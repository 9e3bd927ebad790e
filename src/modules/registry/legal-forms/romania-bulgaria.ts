import type { CountryForms } from './table.ts';

export const RO: CountryForms = {
  languages: ['RO'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      [
        'RO_SRL',
        'XHN1',
        'Societate cu răspundere limitată; S.R.L.; S.R.L.-D',
        'Societate cu răspundere limitată debutant; Societate comercială cu răspundere limitată',
      ],
    ],
    PUBLIC_COMPANY: [
      ['RO_SA', 'ANDT', 'Societate pe acțiuni; S.A.', 'Societate comercială pe acțiuni'],
      ['RO_SCA', 'SWMK', 'Societate în comandită pe acțiuni; S.C.A.'],
      ['RO_SE', '1CDX', 'Societate europeană; SE; Societas Europaea'],
    ],
    PARTNERSHIP: [
      ['RO_SNC', 'F68H', 'Societate în nume colectiv; S.N.C.'],
      ['RO_SCS', 'V0FL', 'Societate în comandită simplă; S.C.S.'],
      ['RO_AF', 'TH8A', 'Asociație familială; A.F.'],
      ['RO_GIE', 'EFBR', 'Grup de interes economic; G.I.E.', 'Grupul de interes economic'],
      [
        'RO_GEIE',
        '4V0A',
        'Grup european de interes economic; G.E.I.E.',
        'Grupul european de interes economic',
      ],
    ],
    SOLE_TRADER: [
      ['RO_PFA', 'FJQ8', 'Persoană fizică autorizată; P.F.A.', 'Persoană fizică'],
      ['RO_II', 'DUGD', 'Întreprindere individuală; Î.I.'],
      ['RO_IF', null, 'Întreprindere familială; Î.F.'],
      ['RO_PFI', 'AI01', 'Persoană fizică independentă; P.F.I.', 'Profesie liberală; Cabinet individual'],
    ],
    COOPERATIVE: [
      [
        'RO_COOP',
        '7B9H',
        'Societate cooperativă; Societate cooperativă',
        'Organizație cooperatistă; SC; SCOOP',
      ],
      ['RO_COOP_AGRICOLA', 'I15K', 'Cooperativă agricolă'],
      ['RO_COOP_CONSUM', '8FD2', 'Cooperativă de consum'],
      ['RO_COOP_CREDIT', 'GT4V', 'Cooperativă de credit'],
      [
        'RO_COOP_MESTESUGAREASCA',
        '37II',
        'Cooperativă meșteșugărească',
        'Societate cooperativă meșteșugărească',
      ],
      ['RO_SCE', 'UWEE', 'Societate cooperativă europeană; SCE'],
    ],
    GOVERNMENT: [
      ['RO_RA', 'CUGP', 'Regie autonomă; R.A.'],
      [
        'RO_INSTITUTIE',
        null,
        'Instituție publică',
        'Comună; Oraș; Municipiu; Județ; Primărie; Minister; Unitate administrativ-teritorială',
      ],
    ],
    OTHER: [
      ['RO_ASOCIATIE', null, 'Asociație', 'Asociație de proprietari; Federație'],
      ['RO_FUNDATIE', null, 'Fundație'],
      ['RO_ONG', '5NCK', 'Organizație non-guvernamentală; ONG', 'Organizație neguvernamentală'],
      ['RO_SOCIETATE_AGRICOLA', 'F0BK', 'Societate agricolă'],
      ['RO_REPREZENTANTA', '85K5', 'Reprezentanță'],
      [
        'RO_SUCURSALA',
        null,
        'Sucursală a unei societăți străine; Sucursală a unei societăți străine; Sucursala București; Sucursala România',
        'Sucursală',
      ],
    ],
  },
};

export const BG: CountryForms = {
  languages: ['BG'],
  inFront: ['ЕТ', 'СД', 'КД', 'АД', 'ET'],
  forms: {
    LIMITED_COMPANY: [
      [
        'BG_OOD',
        'VJ3G',
        'Дружество с ограничена отговорност; ООД; OOD',
        'Druzhestvo s ogranichena otgovornost',
      ],
      [
        'BG_EOOD',
        'WVIN',
        'Еднолично дружество с ограничена отговорност; ЕООД; EOOD',
        'Ednolichno druzhestvo s ogranichena otgovornost',
      ],
      ['BG_DPK', null, 'Дружество с променлив капитал; ДПК', 'Еднолично дружество с променлив капитал; ЕДПК'],
    ],
    PUBLIC_COMPANY: [
      ['BG_AD', 'WTK4', 'Акционерно дружество; АД; AD', 'Aktsionerno druzhestvo'],
      ['BG_EAD', 'EJ06', 'Еднолично акционерно дружество; ЕАД; EAD', 'Ednolichno aktsionerno druzhestvo'],
      ['BG_ADSITS', 'PW3Y', 'Акционерно дружество със специална инвестиционна цел; АДСИЦ; ADSIC'],
      ['BG_KDA', 'HN63', 'Командитно дружество с акции; КДА; KDA'],
      ['BG_ED', 'SZW0', 'Европейско дружество; ЕД; SE', 'Evropeysko druzhestvo'],
    ],
    PARTNERSHIP: [
      [
        'BG_SD',
        'FPP2',
        'Събирателно дружество; СД; SD; С-ие',
        'Събирателно дружество (СД)/Съдружие; Съдружие; Sabiratelno druzhestvo',
      ],
      ['BG_KD', 'S94S', 'Командитно дружество; КД; KD', 'Komanditno druzhestvo'],
      [
        'BG_DZZD',
        'TCGV',
        'Дружество по Закона за задълженията и договорите; ДЗЗД; DZZD',
        'Дружество учредено по Закона за задълженията и договорите; Гражданско дружество',
      ],
      ['BG_EOII', 'RYDY', 'Европейско обединение по икономически интереси; ЕОИИ; EEIG'],
    ],
    SOLE_TRADER: [
      [
        'BG_ET',
        '946C',
        'Едноличен търговец; ЕТ; ET',
        'Ednolichen targovets; Самоосигуряващо се лице; Свободна професия; Физическо лице; Земеделски стопанин',
      ],
    ],
    COOPERATIVE: [
      [
        'BG_KOOPERATSIYA',
        'CTCH',
        'Кооперация; Кооперация; Потребителна кооперация; Земеделска кооперация',
        'Кооперативен съюз; Kooperatsia',
      ],
      [
        'BG_EKD',
        'U8LM',
        'Европейско кооперативно дружество; ЕКД; SCE',
        'Европейско кооперативно дружество с ограничена отговорност',
      ],
    ],
    GOVERNMENT: [
      ['BG_DP', null, 'Държавно предприятие; ДП'],
      [
        'BG_OBSHTINA',
        null,
        'Община',
        'Държавна институция; Министерство; Бюджетна организация; Публичноправна организация; Държава',
      ],
      ['BG_OP', null, 'Общинско предприятие; ОП'],
    ],
    OTHER: [
      [
        'BG_SDRUZHENIE',
        'LECS',
        'Сдружение в частна полза',
        'Сдружение; Сдружение с нестопанска цел; СНЦ; Юридическо лице с нестопанска цел',
      ],
      ['BG_SDRUZHENIE_OBSHTESTVENA', '3SHX', 'Сдружение в обществена полза'],
      [
        'BG_FONDATSIYA',
        'UFG8',
        'Фондация',
        'Фондация в обществена полза; Фондация в частна полза; Fondatsia',
      ],
      [
        'BG_KLON',
        null,
        'Клон на чуждестранен търговец; КЧТ',
        'Клон; Чуждестранно юридическо лице; Търговско представителство',
      ],
    ],
  },
};
