import type { CountryForms } from './table.ts';

export const TR: CountryForms = {
  languages: ['TR'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      ['TR_LTD', 'R5UT', 'Limited şirket; Ltd. Şti.; Limited Şirketi; Ltd. Şirketi; Limited Şti.'],
    ],
    PUBLIC_COMPANY: [
      ['TR_AS', 'W2SQ', 'Anonim şirket; A.Ş.; Anonim Şirketi; Anonim Şti.', 'Halka açık anonim şirket'],
    ],
    PARTNERSHIP: [
      [
        'TR_KOLL',
        'JMQU',
        'Kollektif şirket; Koll. Şti.; Kollektif Şirketi; Kolektif Şirketi; Kol. Şti.',
        'Kolektif şirket',
      ],
      [
        'TR_KOM',
        'ONVA',
        'Komandit şirket; Kom. Şti.; Komandit Şirketi',
        'Adi komandit şirket; Sermayesi paylara bölünmüş komandit şirket',
      ],
      ['TR_ADI_ORTAKLIK', null, 'Adi ortaklık', 'Adi şirket; İş ortaklığı'],
    ],
    SOLE_TRADER: [
      [
        'TR_SAHIS',
        null,
        'Şahıs işletmesi',
        'Şahıs şirketi; Gerçek kişi; Gerçek kişi tacir; Esnaf; Serbest meslek',
      ],
    ],
    COOPERATIVE: [
      ['TR_KOOP', '8BXP', 'Kooperatif; Koop.; Kooperatifi', 'Yapı kooperatifi; Tarım kredi kooperatifi'],
    ],
    GOVERNMENT: [
      ['TR_KAMU', '2DY1', 'Kamu tüzel kişiliği', 'Kamu kurumu; Belediye; Bakanlık; Valilik'],
      ['TR_KIT', null, 'Kamu iktisadi teşebbüsü', 'KİT; İktisadi devlet teşekkülü'],
    ],
    OTHER: [
      ['TR_DERNEK', 'LYA0', 'Dernek', 'Derneği'],
      ['TR_VAKIF', 'RLSQ', 'Vakıf', 'Vakfı; vakif'],
      ['TR_BIRLIK', 'HAAY', 'Birlik'],
      ['TR_FON', '5T3H', 'Fonlar', 'Fon; Yatırım fonu; Emeklilik fonu'],
      ['TR_OZEL_MEVZUAT', 'D4KQ', 'Özel mevzuat ile kurulmuş kuruluş'],
      [
        'TR_SUBE',
        null,
        'Yabancı şirketin Türkiye şubesi; Yabancı şirketin Türkiye şubesi; Türkiye Şubesi; Merkezi Türkiye İrtibat Bürosu',
        'Şube; Yabancı şirket şubesi; İrtibat bürosu',
      ],
    ],
  },
};

/** The ELF list has no form of Ukraine. */
export const UA: CountryForms = {
  languages: ['UK'],
  inFront: ['АТ', 'ПП', 'ДП', 'КП', 'ФГ', 'ГО', 'БО'],
  forms: {
    LIMITED_COMPANY: [
      [
        'UA_TOV',
        null,
        'Товариство з обмеженою відповідальністю; ТОВ; TOV; ТзОВ; LLC',
        'Tovarystvo z obmezhenoiu vidpovidalnistiu; Limited liability company; Общество с ограниченной ответственностью; ООО',
      ],
      ['UA_TDV', null, 'Товариство з додатковою відповідальністю; ТДВ; TDV', 'Additional liability company'],
      [
        'UA_PRAT',
        null,
        'Приватне акціонерне товариство; ПрАТ; PrAT; PrJSC',
        'Private joint stock company; Закрите акціонерне товариство; ЗАТ',
      ],
      [
        'UA_PP',
        null,
        'Приватне підприємство; ПП; PP',
        'Private enterprise; Мале приватне підприємство; Частное предприятие; ЧП; Дочірнє підприємство',
      ],
    ],
    PUBLIC_COMPANY: [
      ['UA_AT', null, 'Акціонерне товариство; АТ; AT; JSC', 'Joint stock company'],
      [
        'UA_PAT',
        null,
        'Публічне акціонерне товариство; ПАТ; PAT; PJSC',
        'Public joint stock company; Відкрите акціонерне товариство; ВАТ',
      ],
    ],
    PARTNERSHIP: [
      ['UA_PT', null, 'Повне товариство; ПТ', 'General partnership'],
      ['UA_KT', null, 'Командитне товариство; КТ', 'Limited partnership'],
      ['UA_PROSTE', null, 'Просте товариство', 'Спільна діяльність без створення юридичної особи'],
    ],
    SOLE_TRADER: [
      [
        'UA_FOP',
        null,
        'Фізична особа-підприємець; ФОП; FOP; Фізична особа-підприємець; СПД',
        'Sole proprietor; Фізична особа; Самозайнята особа; ФО-П; Суб’єкт підприємницької діяльності; Физическое лицо-предприниматель',
      ],
    ],
    COOPERATIVE: [
      [
        'UA_KOOPERATYV',
        null,
        'Кооператив; Кооператив; Обслуговуючий кооператив; Виробничий кооператив; Сільськогосподарський кооператив',
        'Споживчий кооператив; Споживче товариство; Cooperative; Сільськогосподарський виробничий кооператив; СВК',
      ],
      ['UA_KREDYTNA_SPILKA', null, 'Кредитна спілка; Кредитна спілка', 'Credit union'],
    ],
    GOVERNMENT: [
      ['UA_DP', null, 'Державне підприємство; ДП; DP', 'State enterprise; Казенне підприємство'],
      ['UA_KP', null, 'Комунальне підприємство; КП', 'Municipal enterprise; Municipal company'],
      ['UA_KNP', null, 'Комунальне некомерційне підприємство; КНП'],
      [
        'UA_ORGAN',
        null,
        'Орган державної влади',
        'Орган місцевого самоврядування; Державна організація (установа, заклад); Комунальна організація (установа, заклад); Державна установа; Комунальний заклад; Міністерство',
      ],
    ],
    OTHER: [
      [
        'UA_FG',
        null,
        'Фермерське господарство; ФГ; СФГ; Селянське (фермерське) господарство',
        'Farm enterprise',
      ],
      ['UA_GO', null, 'Громадська організація; ГО', 'Громадська спілка; Асоціація; NGO'],
      ['UA_BO', null, 'Благодійна організація; БО; БФ; Благодійний фонд', 'Charitable foundation'],
      [
        'UA_OSBB',
        null,
        'Об’єднання співвласників багатоквартирного будинку; ОСББ',
        "Об'єднання співвласників багатоквартирного будинку",
      ],
      ['UA_RELIGIINA', null, 'Релігійна організація', 'Релігійна громада'],
      [
        'UA_FILIYA',
        null,
        'Філія або представництво іноземної компанії; Філія або представництво іноземної компанії; Філія; Представництво',
        'Філія (інший відокремлений підрозділ); Представництво іноземної компанії; Branch',
      ],
    ],
  },
};
