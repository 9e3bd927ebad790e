import { describe, expect, it } from 'vitest';
import { readLegalForm } from './legal-form.rules.ts';
import { LOCAL_FORMS } from './legal-forms/local-forms.ts';

/** Local code (its country in front), ELF code, value: what registries write for it. */
const READ = [
  'DE_GMBH 2HBR LIMITED_COMPANY: 2HBR; Gesellschaft mit beschränkter Haftung; GESELLSCHAFT MIT BESCHRÄNKTER HAFTUNG; GMBH; G.m.b.H.; Ges. m. b. H.; gmbh (HRB 1234); Kapitalgesellschaft (GmbH)',
  'DE_UG 63KS LIMITED_COMPANY: UG; UG (haftungsbeschränkt); Unternehmergesellschaft (haftungsbeschränkt); unternehmergesellschaft',
  'DE_GMBH_CO_KG 8Z6G PARTNERSHIP: G.m.b.H. & Co. KG; GmbH und Co. KG; GMBH & CO KG',
  'DE_KG 8Z6G PARTNERSHIP: 8Z6G; Kommanditgesellschaft; AG & Co. KG; UG (haftungsbeschränkt) & Co. KG',
  'DE_AG 6QQB PUBLIC_COMPANY: AG; Aktiengesellschaft; Aktiengesellschaft in Liquidation',
  'DE_EK OL20 SOLE_TRADER: e.K.; e. K.; eingetragener Kaufmann; Eingetragene Kauffrau',
  'DE_EG AZFE COOPERATIVE: eG; eingetragene Genossenschaft',
  'DE_EV QZ3L OTHER: e.V.; eingetragener Verein; Verein',
  'DE_KDOER SQKS GOVERNMENT: Körperschaft des öffentlichen Rechts; KdöR',
  'AT_GMBH AXSB LIMITED_COMPANY: Gesellschaft m.b.H.; GesmbH; Gesellschaft mit beschränkter Haftung',
  'AT_OG JTAV PARTNERSHIP: Offene Gesellschaft; OG',
  'AT_EU ECWU SOLE_TRADER: e.U.; Einzelunternehmer; nicht eingetragenes Einzelunternehmen',
  'CH_AG MVII PUBLIC_COMPANY: Aktiengesellschaft; Société anonyme (SA); Società anonima; Company limited by shares',
  'CH_GMBH 3EKS LIMITED_COMPANY: Sàrl; SAGL; Gesellschaft mit beschränkter Haftung (GmbH); Limited liability company',
  'CH_EINZELUNTERNEHMEN AZA0 SOLE_TRADER: Einzelfirma; Raison individuelle',
  'NL_BV 54M6 LIMITED_COMPANY: B.V.; BV; Besloten Vennootschap; besloten vennootschap met beperkte aansprakelijkheid',
  'NL_VOF 62Y3 PARTNERSHIP: V.O.F.; vof; Vennootschap onder firma',
  'NL_EENMANSZAAK 4QXM SOLE_TRADER: Eenmanszaak; ZZP',
  'NL_STICHTING V44D OTHER: Stichting',
  'BE_BV 3W7E LIMITED_COMPANY: Société à responsabilité limitée; SRL; BV; Besloten Vennootschap',
  'BE_BVBA N5NT LIMITED_COMPANY: BVBA; S.P.R.L.; Société privée à responsabilité limitée',
  'BE_NV R85P PUBLIC_COMPANY: NV; SA; Naamloze vennootschap van publiek recht',
  'BE_VZW W3WH OTHER: VZW; ASBL; Association sans but lucratif',
  'LU_SARL DVXS LIMITED_COMPANY: S.à r.l.; S.A R.L.; S. à r. l.; SARL; Société à responsabilité limitée',
  'LU_SCSP U8KA PARTNERSHIP: SCSp; Société en commandite spéciale; SECSP',
  'FR_SARL V9QP LIMITED_COMPANY: SARL; S.A R.L.; S.A.R.L.; Société à responsabilité limitée (sans autre indication)',
  'FR_SAS 6CHY LIMITED_COMPANY: SAS; SAS, société par actions simplifiée; S.A.S.',
  'FR_SASU - LIMITED_COMPANY: SASU; Société par actions simplifiée à associé unique',
  "FR_SA QVPB PUBLIC_COMPANY: SA; Société anonyme à conseil d'administration; SA à conseil d'administration (s.a.i.); SA nationale à directoire",
  'FR_EI ZY9X SOLE_TRADER: Entrepreneur individuel; EI; Profession libérale',
  'FR_SCI FY0F PARTNERSHIP: SCI; Société civile immobilière',
  "IT_SRL OV32 LIMITED_COMPANY: S.R.L.; SRL; SOCIETA' A RESPONSABILITA' LIMITATA; Società a responsabilità limitata con unico socio",
  'IT_SPA P418 PUBLIC_COMPANY: SpA; S.P.A.; Società per Azioni con Socio Unico',
  'IT_DI LHBB SOLE_TRADER: Ditta individuale; IMPRESA INDIVIDUALE',
  'ES_SL DP3Q LIMITED_COMPANY: S.L.; SOCIEDAD LIMITADA; Sociedad de responsabilidad limitada',
  'ES_SLU R6UT LIMITED_COMPANY: SLU; S.L. (Unipersonal); Sociedad Limitada Unipersonal',
  'ES_SA 5RDO PUBLIC_COMPANY: SOCIEDAD ANONIMA; S.A.',
  'ES_AUTONOMO 1SL4 SOLE_TRADER: Autónomo; Empresario individual',
  'PT_LDA USOG LIMITED_COMPANY: Lda.; Sociedade por quotas; LIMITADA',
  'PT_UNIPESSOAL VF4C LIMITED_COMPANY: Unipessoal, Lda; Sociedade unipessoal por quotas',
  'PT_SA DFE5 PUBLIC_COMPANY: Sociedade Anónima; SA',
  'PL_SPZOO O7XB LIMITED_COMPANY: Sp. z o.o.; SPÓŁKA Z OGRANICZONĄ ODPOWIEDZIALNOŚCIĄ; sp.zo.o.; Spolka z ograniczona odpowiedzialnoscia; SP Z O O',
  'PL_SPK BSJT PARTNERSHIP: spółka komandytowa; sp. k.; sp. z o.o. sp.k.',
  'PL_JDG ZVVM SOLE_TRADER: OSOBA FIZYCZNA PROWADZĄCA DZIAŁALNOŚĆ GOSPODARCZĄ; Jednoosobowa działalność gospodarcza',
  'CZ_SRO 9HLU LIMITED_COMPANY: s.r.o.; Společnost s ručením omezeným; spol. s r. o.; SPOL.S R.O.',
  'CZ_AS 6CQN PUBLIC_COMPANY: a.s.; Akciová společnost',
  'CZ_OSVC 95G8 SOLE_TRADER: Fyzická osoba podnikající dle živnostenského zákona; OSVČ',
  'SK_SRO VSZS LIMITED_COMPANY: Spoločnosť s ručením obmedzeným; Spol. s r. o.; s.r.o',
  'SK_ZIVNOSTNIK C4PZ SOLE_TRADER: Živnostník; Podnikateľ-fyzická osoba-nezapísaný v obchodnom registri',
  'SK_OBEC L9WT GOVERNMENT: Obec (obecný úrad), mesto (mestský úrad)',
  'RO_SRL XHN1 LIMITED_COMPANY: SRL; SOCIETATE CU RĂSPUNDERE LIMITATĂ; Societate cu raspundere limitata',
  'RO_SA ANDT PUBLIC_COMPANY: SA; Societate pe acţiuni; Societate pe acțiuni',
  'RO_PFA FJQ8 SOLE_TRADER: PFA; Persoană fizică autorizată',
  'BG_EOOD WVIN LIMITED_COMPANY: ЕООД; EOOD; Еднолично дружество с ограничена отговорност',
  'BG_OOD VJ3G LIMITED_COMPANY: ООД; OOD; Дружество с ограничена отговорност',
  'BG_AD WTK4 PUBLIC_COMPANY: АД; Акционерно дружество',
  'BG_ET 946C SOLE_TRADER: ЕТ; Едноличен търговец',
  'HU_KFT P9F2 LIMITED_COMPANY: Kft.; Korlátolt felelősségű társaság; KORLÁTOLT FELELŐSSÉGŰ TÁRSASÁG',
  'HU_ZRT BKUX LIMITED_COMPANY: Zrt.; zártkörűen működő részvénytársaság',
  'HU_NYRT 8UEG PUBLIC_COMPANY: Nyrt',
  'HU_BT S3DA PARTNERSHIP: Bt.; Betéti társaság',
  'HR_DOO OQWO LIMITED_COMPANY: d.o.o.; društvo s ograničenom odgovornošću; OQWO',
  'HR_JDOO OQWO LIMITED_COMPANY: j.d.o.o.; jednostavno društvo s ograničenom odgovornošću',
  'HR_OBRT - SOLE_TRADER: obrt; Paušalni obrt',
  'SI_DOO KBKD LIMITED_COMPANY: Družba z omejeno odgovornostjo d.o.o.; D.O.O.',
  'SI_SP QW8S SOLE_TRADER: Samostojni podjetnik posameznik s.p.; s. p.',
  'SI_DD 1OR3 PUBLIC_COMPANY: delniška družba',
  'LT_UAB BPLS LIMITED_COMPANY: UAB; Uždaroji akcinė bendrovė; Uždarosios akcinės bendrovės',
  'LT_AB 81KA PUBLIC_COMPANY: AB; Akcinė bendrovė',
  'LT_II A338 SOLE_TRADER: IĮ; Individuali įmonė',
  'LV_SIA ES2D LIMITED_COMPANY: SIA; Sabiedrība ar ierobežotu atbildību',
  'LV_AS VJBO PUBLIC_COMPANY: AS; Akciju sabiedrība',
  'LV_IK BS22 SOLE_TRADER: Individuālais komersants; IK',
  'EE_OU JC0Y LIMITED_COMPANY: Osaühing; OÜ; OU',
  'EE_AS 9LJA PUBLIC_COMPANY: Aktsiaselts; AS',
  'EE_FIE 3UPJ SOLE_TRADER: FIE; Füüsilisest isikust ettevõtja',
  'GR_AE W2NK PUBLIC_COMPANY: Α.Ε.; A.E.; ΑΝΩΝΥΜΗ ΕΤΑΙΡΕΙΑ; Ανώνυμη Εταιρία; AE',
  'GR_IKE QCA0 LIMITED_COMPANY: Ι.Κ.Ε.; ΙΔΙΩΤΙΚΗ ΚΕΦΑΛΑΙΟΥΧΙΚΗ ΕΤΑΙΡΕΙΑ; Μονοπρόσωπη ΙΚΕ',
  'GR_EPE H6OR LIMITED_COMPANY: Ε.Π.Ε.; Εταιρία Περιορισμένης Ευθύνης',
  'GR_EOOS QNWW PARTNERSHIP: ΕΟΟΣ; Ε.Ο.Ο.Σ.; Ευρωπαϊκός Όμιλος Οικονομικού Σκοπού',
  'GR_OE TIZ2 PARTNERSHIP: ΟΕ; Ομόρρυθμη Εταιρεία',
  'DK_APS H8VP LIMITED_COMPANY: ApS; Anpartsselskab; APS',
  'DK_AS ZRPO PUBLIC_COMPANY: A/S; Aktieselskab',
  'DK_ENK FUKI SOLE_TRADER: Enkeltmandsvirksomhed; ENK',
  'SE_AB XJHM LIMITED_COMPANY: AB; Aktiebolag; Privat aktiebolag',
  'SE_AB_PUBL - PUBLIC_COMPANY: Publikt aktiebolag; AB (publ)',
  'SE_EF - SOLE_TRADER: Enskild firma; Enskild näringsidkare',
  'SE_EK_FOR C61P COOPERATIVE: Ekonomisk förening; Ek. för.',
  'NO_AS YI42 LIMITED_COMPANY: AS; Aksjeselskap; A/S',
  'NO_ASA IQGE PUBLIC_COMPANY: ASA; Allmennaksjeselskap',
  'NO_ENK EXD7 SOLE_TRADER: ENK; Enkeltpersonforetak',
  'NO_NUF - OTHER: NUF; Norskregistrert utenlandsk foretak',
  'FI_OY DKUW LIMITED_COMPANY: Oy; Osakeyhtiö; Aktiebolag; Ab; OY AB',
  'FI_OYJ K6VE PUBLIC_COMPANY: Oyj; Julkinen osakeyhtiö; Publikt aktiebolag',
  'FI_TMI K09E SOLE_TRADER: Toiminimi; Yksityinen elinkeinonharjoittaja (toiminimi); T:mi',
  'IE_LTD MNQ7 LIMITED_COMPANY: LTD - Private Company Limited by Shares; Company Limited by Shares; Teoranta; Private limited company',
  'IE_DAC LGWG LIMITED_COMPANY: DAC - Designated Activity Company (limited by shares); Designated Activity Company',
  'IE_ULC KMFX OTHER: ULC - Private Unlimited Company; Unlimited Company',
  'MT_LTD V89C LIMITED_COMPANY: Private Limited Liability Company; Limited; kumpanija privata',
  'MT_PLC C061 PUBLIC_COMPANY: p.l.c.; Public Limited Liability Company',
  'CY_LTD K9L6 LIMITED_COMPANY: ΛΤΔ; Ltd; Ιδιωτική Εταιρεία Περιορισμένης Ευθύνης με μετοχές; ΛΙΜΙΤΕΔ; Private company limited by shares',
  'CY_PLC BCF5 PUBLIC_COMPANY: Δημόσια Εταιρεία Περιορισμένης Ευθύνης με μετοχές; PLC',
  'GB_LTD H0PO LIMITED_COMPANY: PRIVATE LIMITED COMPANY; Private limited Company; Ltd.; ltd; Cyfyngedig; Private Limited Company (Scotland); PRIV LTD SECT. 30 (Private limited company, section 30 of the Companies Act)',
  "GB_CLG G12F LIMITED_COMPANY: Private Limited Company by guarantee without share capital use of 'Limited' exemption; PRI/LTD BY GUAR/NSC (Private, limited by guarantee, no share capital); PRI/LBG/NSC (Private, Limited by guarantee, no share capital, use of 'Limited' exemption); private-limited-guarant-nsc; Private limited company by guarantee",
  'GB_CIC 17R0 LIMITED_COMPANY: Community Interest Company; CIC',
  'GB_PLC B6ES PUBLIC_COMPANY: Public Limited Company; plc; P.L.C.; Old Public Company',
  'GB_LLP Z0EY PARTNERSHIP: Limited Liability Partnership; LLP; llp',
  'GB_REGISTERED_SOCIETY XLZV COOPERATIVE: Registered Society; Industrial and Provident Society; registered-society-non-jurisdictional',
  'GB_ICVC VV0W OTHER: Investment Company with Variable Capital(Umbrella); icvc-securities',
  'GB_UK_ESTABLISHMENT - OTHER: Overseas Entity; uk-establishment; oversea-company',
  'US_LLC - LIMITED_COMPANY: LLC; L.L.C.; Limited Liability Company - Domestic; Domestic Limited Liability Company; DELAWARE LIMITED LIABILITY COMPANY',
  'US_CORP - LIMITED_COMPANY: Corporation; Inc.; Domestic Business Corporation; Corp.; CORPORATION - FOR PROFIT',
  'US_NONPROFIT - OTHER: Non-Profit Corporation; Domestic Nonprofit Corporation; Not-for-profit Corporation',
  'US_LP - PARTNERSHIP: Limited Partnership; L.P.',
  'CA_CORP UDLA LIMITED_COMPANY: Business corporation; Société par actions; Federal Business Corporation; Inc.; ltée',
  'CA_NONPROFIT D90J OTHER: Not-for-profit corporation; Personne morale sans but lucratif par Loi sur les fabriques',
  'CA_LLP - PARTNERSHIP: S.E.N.C.R.L.; Limited liability partnership',
  'AU_PTY_LTD TXVC LIMITED_COMPANY: Australian Private Company; Pty Ltd; PTY. LIMITED; Limited Proprietary Company',
  'AU_LTD R4KK PUBLIC_COMPANY: Australian Public Company; Public Company limited by shares; Ltd',
  'AU_SOLE_TRADER - SOLE_TRADER: Individual/Sole Trader',
  'AU_TRUST 7TPC OTHER: Discretionary Trading Trust; Fixed Unit Trust',
  'NZ_LTD P2R9 LIMITED_COMPANY: NZ Limited Company; Limited; Limited Liability Company',
  'NZ_COOP Z6ZU COOPERATIVE: NZ Co-operative Company; Cooperative Company',
  'JP_KK T417 PUBLIC_COMPANY: 株式会社; ㈱; （株）; K.K.; Kabushiki Kaisha; kabusikigaisya',
  'JP_YK DYQK LIMITED_COMPANY: 有限会社; (有); Yugen Kaisha',
  'JP_GK 7QQ0 LIMITED_COMPANY: 合同会社; Godo Kaisha',
  'JP_KOJIN - SOLE_TRADER: 個人事業主',
  'TR_AS W2SQ PUBLIC_COMPANY: A.Ş.; ANONİM ŞİRKETİ; Anonim Şirket; A.S.',
  'TR_LTD R5UT LIMITED_COMPANY: LTD. ŞTİ.; Limited Şirketi; LİMİTED ŞİRKET',
  'UA_TOV - LIMITED_COMPANY: ТОВ; ТОВАРИСТВО З ОБМЕЖЕНОЮ ВІДПОВІДАЛЬНІСТЮ; ТOB; ТзОВ',
  'UA_FOP - SOLE_TRADER: ФОП; Фізична особа-підприємець',
  'UA_AT - PUBLIC_COMPANY: АТ; Акціонерне товариство',
];

const cases = READ.flatMap((row) => {
  const [head = '', texts = ''] = row.split(/: (.*)/);
  const [local_code = '', elf, legal_form] = head.split(' ');
  const expected = { legal_form, local_code, elf_code: elf === '-' ? null : elf };
  return texts.split('; ').map((text) => ({ country: local_code.slice(0, 2), text, expected }));
});

describe('readLegalForm', () => {
  it.each(cases)('$country: $text', ({ country, text, expected }) => {
    expect(readLegalForm(text, country)).toEqual(expected);
  });

  it('is asked for every country with a table', () => {
    expect([...new Set(cases.map(({ country }) => country))].sort()).toEqual([...LOCAL_FORMS.keys()].sort());
    expect(cases.length).toBeGreaterThanOrEqual(200);
  });

  it('reads the name and every abbreviation that the API shows', () => {
    for (const [country, forms] of LOCAL_FORMS) {
      for (const { code, readings } of forms) {
        for (const text of readings)
          expect([text, readLegalForm(text, country).local_code]).toEqual([text, code]);
      }
    }
  });

  describe('a code of ISO 20275', () => {
    it.each([
      ['EI4J', 'US', 'US_LLC', 'LIMITED_COMPANY'],
      ['XTIQ', 'US', 'US_CORP', 'LIMITED_COMPANY'],
      ['K65D', 'FR', 'FR_SA', 'PUBLIC_COMPANY'],
      ['AMFI', 'FR', null, 'GOVERNMENT'],
      ['2HBR', 'FR', 'DE_GMBH', 'LIMITED_COMPANY'],
      ['H0PO', 'KY', 'GB_LTD', 'LIMITED_COMPANY'],
    ])('%s in %s is %s', (code, country, local_code, legal_form) => {
      expect(readLegalForm(` ${code} `, country)).toEqual({ legal_form, local_code, elf_code: code });
    });

    it.each(['8888', '9999', '0000', '2hbr'])('%s names no form', (code) => {
      expect(readLegalForm(code, 'DE')).toEqual({ legal_form: 'OTHER', local_code: null, elf_code: null });
    });
  });

  describe('words of another country', () => {
    it.each([
      ['Ltd.', 'DE', 'LIMITED_COMPANY'],
      ['Private Limited Company', 'DE', 'LIMITED_COMPANY'],
      ['GmbH', 'FR', 'LIMITED_COMPANY'],
      ['Besloten vennootschap', 'DE', 'LIMITED_COMPANY'],
      ['Limited', 'SG', 'LIMITED_COMPANY'],
      ['Société anonyme', 'MC', 'PUBLIC_COMPANY'],
      ['Aktiengesellschaft', 'LI', 'PUBLIC_COMPANY'],
      ['Sole proprietorship', 'SG', 'SOLE_TRADER'],
      ['株式会社', 'GB', 'PUBLIC_COMPANY'],
    ])('%s in %s is a %s without codes', (text, country, legal_form) => {
      expect(readLegalForm(text, country)).toEqual({ legal_form, local_code: null, elf_code: null });
    });
  });

  it.each([
    '',
    ' ',
    '...',
    'unknown',
    'Sonstige',
    '(',
    ')(',
    'n/a',
    '\u0000',
    '🦊',
    'Rechtsform: keine Angabe',
  ])('recognises nothing in %j', (text) => {
    expect(readLegalForm(text, 'DE')).toEqual({ legal_form: 'OTHER', local_code: null, elf_code: null });
  });
});
