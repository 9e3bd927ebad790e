import type { CountryForms } from './table.ts';

export const LT: CountryForms = {
  languages: ['LT'],
  inFront: ['AB', 'MB', 'IĮ', 'VĮ', 'SĮ', 'BĮ'],
  forms: {
    LIMITED_COMPANY: [
      ['LT_UAB', 'BPLS', 'Uždaroji akcinė bendrovė; UAB', 'Uždarosios akcinės bendrovės'],
      ['LT_MB', 'SFYA', 'Mažoji bendrija; MB', 'Mažosios bendrijos'],
      ['LT_ZUB', 'UHNL', 'Žemės ūkio bendrovė; ŽŪB', 'Žemės ūkio bendrovės'],
    ],
    PUBLIC_COMPANY: [
      ['LT_AB', '81KA', 'Akcinė bendrovė; AB', 'Akcinės bendrovės'],
      ['LT_SE', '13T9', 'Europos bendrovė; SE; Societas Europaea', 'Europos bendrovės; EB'],
    ],
    PARTNERSHIP: [
      ['LT_TUB', 'DLCX', 'Tikroji ūkinė bendrija; TŪB', 'Tikrosios ūkinės bendrijos'],
      ['LT_KUB', 'LUOA', 'Komanditinė ūkinė bendrija; KŪB', 'Komanditinės ūkinės bendrijos'],
      ['LT_APB', '5CIE', 'Advokatų profesinė bendrija; APB', 'Advokatų profesinės bendrijos'],
      ['LT_EEIG', 'BGPJ', 'Europos ekonominių interesų grupė; EEIG', 'Europos ekonominių interesų grupės'],
    ],
    SOLE_TRADER: [
      ['LT_II', 'A338', 'Individuali įmonė; IĮ', 'Individualios įmonės; Personalinė įmonė'],
      [
        'LT_IV',
        null,
        'Individuali veikla',
        'Individuali veikla pagal pažymą; Verslo liudijimas; Ūkininkas; Ūkininko ūkis; Fizinis asmuo',
      ],
    ],
    COOPERATIVE: [
      [
        'LT_KOOPERATYVAS',
        'LUGM',
        'Kooperatinė bendrovė; Kooperatinė bendrovė; Kooperatyvas',
        'Kooperatinės bendrovės (kooperatyvai); Kooperatinės bendrovės; Kredito unija; Žemės ūkio kooperatyvas',
      ],
      ['LT_EKB', '5BY2', 'Europos kooperatinė bendrovė; SCE', 'Europos kooperatinės bendrovės; EKB'],
    ],
    GOVERNMENT: [
      ['LT_VI', '4ZF3', 'Valstybės įmonė; VĮ', 'Valstybės įmonės'],
      ['LT_SI', 'YRXK', 'Savivaldybės įmonė; SĮ', 'Savivaldybių įmonės'],
      [
        'LT_BI',
        'K4GR',
        'Biudžetinė įstaiga; BĮ',
        'Biudžetinės įstaigos; Savivaldybė; Ministerija; Savivaldybės biudžetinė įstaiga',
      ],
      ['LT_CENTRINIS_BANKAS', 'WQRG', 'Centrinis bankas'],
    ],
    OTHER: [
      ['LT_VSI', 'KWBA', 'Viešoji įstaiga; VšĮ', 'Viešosios įstaigos'],
      ['LT_ASOCIACIJA', 'F2ZF', 'Asociacija', 'Asociacijos'],
      ['LT_LPF', 'HGMH', 'Labdaros ir paramos fondas', 'Labdaros ir paramos fondai; LPF'],
      ['LT_SB', 'QG9Y', 'Sodininkų bendrija', 'Sodininkų bendrijos'],
      ['LT_BENDRIJA', 'HJ1Y', 'Bendrija', 'Bendrijos; Daugiabučio namo savininkų bendrija; DNSB'],
      [
        'LT_RELIGINE',
        'A2GC',
        'Religinė bendruomenė, bendrija ar centras',
        'Religines bendruomenes, bendrijos ir centrai; Religinė bendruomenė; Tradicinės religinės bendruomenės ar bendrijos',
      ],
      ['LT_PROFSAJUNGA', '6JDN', 'Profesinė sąjunga', 'Profesinės sąjungos ir jų susivienijimai'],
      [
        'LT_FILIALAS',
        null,
        'Užsienio juridinio asmens filialas; Užsienio juridinio asmens filialas; Lietuvos filialas',
        'Filialas; Atstovybė; Užsienio juridinio asmens atstovybė',
      ],
    ],
  },
};

export const LV: CountryForms = {
  languages: ['LV'],
  inFront: ['AS', 'IK', 'IU', 'PS', 'KS', 'ZS'],
  forms: {
    LIMITED_COMPANY: [
      ['LV_SIA', 'ES2D', 'Sabiedrība ar ierobežotu atbildību; SIA'],
      [
        'LV_VSIA',
        'ES2D',
        'Valsts sabiedrība ar ierobežotu atbildību; VSIA',
        'Pašvaldības sabiedrība ar ierobežotu atbildību',
      ],
    ],
    PUBLIC_COMPANY: [
      ['LV_AS', 'VJBO', 'Akciju sabiedrība; AS'],
      ['LV_VAS', 'VJBO', 'Valsts akciju sabiedrība; VAS'],
      ['LV_SE', 'AZTM', 'Eiropas komercsabiedrība; SE; Societas Europaea'],
    ],
    PARTNERSHIP: [
      ['LV_PS', '3LCY', 'Pilnsabiedrība; PS'],
      ['LV_KS', '1IPK', 'Komandītsabiedrība; KS'],
      ['LV_EEIG', '5ULL', 'Eiropas ekonomisko interešu grupa; EEIG', 'EEIG'],
    ],
    SOLE_TRADER: [
      ['LV_IK', 'BS22', 'Individuālais komersants; IK'],
      ['LV_IU', null, 'Individuālais uzņēmums; IU'],
      ['LV_ZS', null, 'Zemnieku saimniecība; ZS; Z/S', 'Zvejnieku saimniecība; Zemnieka saimniecība'],
      [
        'LV_PASNODARBINATAIS',
        null,
        'Pašnodarbinātā persona',
        'Saimnieciskās darbības veicējs; Fiziska persona',
      ],
    ],
    COOPERATIVE: [
      [
        'LV_KOOP',
        null,
        'Kooperatīvā sabiedrība; Kooperatīvā sabiedrība; LPKS; KOOP',
        'Lauksaimniecības pakalpojumu kooperatīvā sabiedrība; Krājaizdevu sabiedrība; Dzīvokļu īpašnieku kooperatīvā sabiedrība',
      ],
      ['LV_SCE', null, 'Eiropas kooperatīvā sabiedrība; SCE'],
    ],
    GOVERNMENT: [
      [
        'LV_IESTADE',
        null,
        'Valsts vai pašvaldības iestāde',
        'Valsts iestāde; Pašvaldība; Pašvaldības iestāde; Publiska persona; Ministrija; Atvasināta publiska persona',
      ],
      ['LV_VA', null, 'Valsts aģentūra', 'Publiska aģentūra; Pašvaldības aģentūra'],
    ],
    OTHER: [
      ['LV_BIEDRIBA', null, 'Biedrība', 'Sabiedriskā organizācija; Arodbiedrība'],
      ['LV_NODIBINAJUMS', null, 'Nodibinājums', 'Fonds'],
      ['LV_RELIGISKA', null, 'Reliģiskā organizācija', 'Draudze; Baznīca'],
      [
        'LV_FILIALE',
        null,
        'Ārvalsts komersanta filiāle; Ārvalsts komersanta filiāle; Latvijas filiāle; filiāle Latvijā',
        'Filiāle; Pārstāvniecība; Ārvalsts komersanta pārstāvniecība',
      ],
    ],
  },
};

export const EE: CountryForms = {
  languages: ['ET'],
  inFront: ['AS', 'OÜ', 'TÜ', 'UÜ', 'SA'],
  forms: {
    LIMITED_COMPANY: [['EE_OU', 'JC0Y', 'Osaühing; OÜ']],
    PUBLIC_COMPANY: [
      ['EE_AS', '9LJA', 'Aktsiaselts; AS', 'A/S'],
      ['EE_SE', '752Q', 'Euroopa äriühing; SE; Societas Europaea'],
    ],
    PARTNERSHIP: [
      ['EE_TU', 'I1UP', 'Täisühing; TÜ'],
      ['EE_UU', 'LVEQ', 'Usaldusühing; UÜ'],
      ['EE_SELTSING', null, 'Seltsing'],
      ['EE_EMHU', 'LA47', 'Euroopa majandushuviühing; EMHÜ'],
    ],
    SOLE_TRADER: [['EE_FIE', '3UPJ', 'Füüsilisest isikust ettevõtja; FIE', 'Füüsiline isik; Ettevõtja']],
    COOPERATIVE: [
      ['EE_TUH', 'VSEV', 'Tulundusühistu; TÜH'],
      ['EE_HU', '6I0P', 'Hooneühistu; HÜ'],
      ['EE_SCE', 'RXTT', 'Euroopa ühistu; SCE'],
    ],
    GOVERNMENT: [
      ['EE_AVALIK', 'BE56', 'Avalik-õiguslik juriidiline isik'],
      [
        'EE_ASUTUS',
        null,
        'Riigi- või kohaliku omavalitsuse asutus',
        'Riigiasutus; Kohaliku omavalitsuse asutus; Kohaliku omavalitsuse üksus; Vald; Linn; Valitsusasutus; Täidesaatva riigivõimu asutus või riigi muu institutsioon',
      ],
    ],
    OTHER: [
      ['EE_MTU', 'PRTB', 'Mittetulundusühing; MTÜ'],
      ['EE_SA', '1NKP', 'Sihtasutus; SA'],
      ['EE_KU', '8ZQE', 'Korteriühistu; KÜ'],
      ['EE_AU', 'J34T', 'Ametiühing', 'AÜ'],
      ['EE_ERAKOND', 'GA3A', 'Erakond'],
      ['EE_LOOMELIIT', 'PMOF', 'Loomeliit'],
      ['EE_USULINE', 'CKOS', 'Usuline ühendus', 'Kirik; Kogudus'],
      [
        'EE_FILIAAL',
        null,
        'Välismaa äriühingu filiaal; Välismaa äriühingu filiaal; Eesti filiaal',
        'Filiaal; Välisriigi äriühingu filiaal',
      ],
    ],
  },
};
