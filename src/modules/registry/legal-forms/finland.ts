import type { CountryForms } from './table.ts';

export const FI: CountryForms = {
  languages: ['FI', 'SV'],
  inFront: ['Oy', 'Ab', 'Ky', 'Ay'],
  forms: {
    LIMITED_COMPANY: [
      [
        'FI_OY',
        'DKUW',
        { FI: 'Osakeyhtiö; Oy; Oy Ab', SV: 'Aktiebolag; Ab; Ab Oy' },
        'Yksityinen osakeyhtiö',
      ],
      [
        'FI_AS_OY',
        'V0TJ',
        {
          FI: 'Asunto-osakeyhtiö; As. Oy; Asunto Oy; Asunto Oy Ab; As Oy Ab',
          SV: 'Bostadsaktiebolag; Bostads Ab; Bost. Ab',
        },
      ],
      [
        'FI_KOY',
        '8WJ7',
        {
          FI: 'Keskinäinen kiinteistöosakeyhtiö; KOy; Kiinteistö Oy; Koy Ab',
          SV: 'Ömsesidigt fastighetsaktiebolag; Fastighets Ab',
        },
        'Kiinteistöosakeyhtiö; Muu kiinteistöosakeyhtiö; Annat fastighetsaktiebolag',
      ],
      ['FI_VAKUUTUSOY', 'DAFV', { FI: 'Vakuutusosakeyhtiö', SV: 'Försäkringsaktiebolag' }],
    ],
    PUBLIC_COMPANY: [
      ['FI_OYJ', 'K6VE', { FI: 'Julkinen osakeyhtiö; Oyj; Oyj Abp', SV: 'Publikt aktiebolag; Abp' }],
      ['FI_SE', 'XJH3', { FI: 'Eurooppayhtiö; SE', SV: 'Europabolag; SE' }],
    ],
    PARTNERSHIP: [
      ['FI_AY', 'PPMX', { FI: 'Avoin yhtiö; Ay', SV: 'Öppet bolag' }],
      ['FI_KY', 'HEOB', { FI: 'Kommandiittiyhtiö; Ky', SV: 'Kommanditbolag; Kb' }],
      ['FI_ELINKEINOYHTYMA', '37GR', { FI: 'Elinkeinoyhtymä', SV: 'Näringssammanslutning' }],
      ['FI_LAIVANISANNISTO', 'BQ19', { FI: 'Laivanisännistöyhtiö', SV: 'Rederibolag' }],
      [
        'FI_ETEY',
        'HNWB',
        {
          FI: 'Eurooppalainen taloudellinen etuyhtymä; ETEY',
          SV: 'Europeisk ekonomisk intressegruppering; EEIG',
        },
        'Europeisk ekonomisk intresseguppering',
      ],
    ],
    SOLE_TRADER: [
      [
        'FI_TMI',
        'K09E',
        { FI: 'Yksityinen elinkeinonharjoittaja; Tmi; T:mi; toiminimi', SV: 'Enskild näringsidkare; Firma' },
        'Yksityinen elinkeinonharjoittaja (toiminimi); Luonnollinen henkilö',
      ],
    ],
    COOPERATIVE: [
      ['FI_OSK', 'EE90', { FI: 'Osuuskunta; Osk; Osuuskunta', SV: 'Andelslag; Anl; Andelslag' }],
      ['FI_OSUUSPANKKI', 'SJL9', { FI: 'Osuuspankki', SV: 'Andelsbank' }],
      ['FI_ASO', 'MBPY', { FI: 'Asumisoikeusyhdistys', SV: 'Boenderättsförening' }],
      ['FI_SCE', 'UAV1', { FI: 'Eurooppaosuuskunta; SCE', SV: 'Europaandelslag; SCE' }],
    ],
    GOVERNMENT: [
      [
        'FI_VALTIO',
        'BKQO',
        { FI: 'Valtio ja sen laitokset', SV: 'Staten och dess inrättningar' },
        'Valtio; Valtion virasto; Ministeriö',
      ],
      ['FI_KUNTA', '2RK5', { FI: 'Kunta', SV: 'Kommun' }, 'Kaupunki; Hyvinvointialue'],
      ['FI_KUNTAYHTYMA', 'VOTI', { FI: 'Kuntayhtymä', SV: 'Samkommun' }],
      ['FI_VALTION_LIIKELAITOS', 'OXLO', { FI: 'Valtion liikelaitos', SV: 'Statlig affärsinrättning' }],
      [
        'FI_KUNNALLINEN_LIIKELAITOS',
        'TZ1U',
        { FI: 'Kunnallinen liikelaitos', SV: 'Kommunal affärsinrättning' },
        'Liikelaitos',
      ],
      [
        'FI_JULKISOIKEUDELLINEN',
        'MRW9',
        { FI: 'Muu julkisoikeudellinen oikeushenkilö', SV: 'Annan offentligrättslig juridisk person' },
      ],
    ],
    OTHER: [
      [
        'FI_RY',
        'UXEW',
        { FI: 'Aatteellinen yhdistys; ry; rekisteröity yhdistys', SV: 'Ideell förening; rf' },
        'Yhdistys',
      ],
      ['FI_TALOUDELLINEN_YHDISTYS', 'EDN7', { FI: 'Taloudellinen yhdistys', SV: 'Ekonomisk förening' }],
      ['FI_SR', 'YK5G', { FI: 'Säätiö; sr', SV: 'Stiftelse; sr' }, 'Muu säätiö; Annan stiftelse'],
      [
        'FI_KESKINAINEN_VAKUUTUSYHTIO',
        '4H61',
        { FI: 'Keskinäinen vakuutusyhtiö', SV: 'Ömsesidigt försäkringsbolag' },
      ],
      ['FI_SAASTOPANKKI', 'Z38E', { FI: 'Säästöpankki', SV: 'Sparbank' }],
      [
        'FI_USKONNOLLINEN',
        'N3LC',
        { FI: 'Rekisteröity uskonnollinen yhdyskunta', SV: 'Registrerat religiöst samfund' },
        'Evankelis-luterilainen kirkko; Ortodoksinen kirkko; Seurakunta',
      ],
      ['FI_KONKURSSIPESA', 'UMF0', { FI: 'Konkurssipesä', SV: 'Konkursbo' }],
      [
        'FI_SIVULIIKE',
        null,
        {
          FI: 'Ulkomaisen elinkeinonharjoittajan sivuliike; Ulkomaisen elinkeinonharjoittajan sivuliike; sivuliike Suomessa; sivuliike',
          SV: 'Filial till utländskt företag; Filial till utländskt företag; filial i Finland',
        },
        'Sivuliike; Filial; Ulkomainen yhteisö; Utländskt samfund',
      ],
    ],
  },
};
