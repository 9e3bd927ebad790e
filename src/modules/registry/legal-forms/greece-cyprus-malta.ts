import type { CountryForms } from './table.ts';

export const GR: CountryForms = {
  languages: ['EL'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      [
        'GR_EPE',
        'H6OR',
        'Εταιρεία Περιορισμένης Ευθύνης; Ε.Π.Ε.; E.P.E.; Εταιρία Περιορισμένης Ευθύνης; Μονοπρόσωπη Ε.Π.Ε.; Μ.Ε.Π.Ε.; Μονοπρόσωπη Εταιρεία Περιορισμένης Ευθύνης',
        'Etairia Periorismenis Efthynis',
      ],
      [
        'GR_IKE',
        'QCA0',
        'Ιδιωτική Κεφαλαιουχική Εταιρεία; Ι.Κ.Ε.; I.K.E.; Ιδιωτική Κεφαλαιουχική Εταιρία; Μονοπρόσωπη Ι.Κ.Ε.; Μ.Ι.Κ.Ε.; Μονοπρόσωπη Ιδιωτική Κεφαλαιουχική Εταιρεία; P.C.; Single Member P.C.; Private Company; Μονοπρόσωπη Ιδιωτική Κεφαλαιουχική Εταιρία',
      ],
      [
        'GR_NAFTIKI',
        '3RHO',
        'Ναυτική Εταιρεία; Ν.Ε.; Ναυτική Εταιρία; Ναυτιλιακή Εταιρεία',
        'Ναυτική Εταιρεία Πλοίων Αναψυχής; Ν.Ε.Π.Α.',
      ],
    ],
    PUBLIC_COMPANY: [
      [
        'GR_AE',
        'W2NK',
        'Ανώνυμη Εταιρεία; Α.Ε.; A.E.; Ανώνυμη Εταιρία; Μονοπρόσωπη Α.Ε.; Μονοπρόσωπη Ανώνυμη Εταιρεία; Α.Ε.Β.Ε.; Α.Β.Ε.Ε.; Α.Ε.Ε.; Α.Ε.Β.Τ.Ε.; Ανώνυμος Εταιρεία; Ανώνυμη Εμπορική Εταιρεία; Ανώνυμη Εμπορική και Βιομηχανική Εταιρεία; S.A.; Single Member S.A.; Societe Anonyme; A.E.B.E.; A.B.E.E.; A.E.E.; Ανώνυμη Βιομηχανική Εταιρεία; Ανώνυμη Τεχνική Εταιρεία',
        'Anonymi Etairia',
      ],
      ['GR_SE', 'CQ5X', 'Ευρωπαϊκή Εταιρεία; SE; Societas Europaea; Ευρωπαϊκή Εταιρία'],
      ['GR_EMA', 'UCU5', 'Ετερόρρυθμη κατά μετοχές εταιρεία; Ε.Μ.Ε.; Ετερόρρυθμη κατά μετοχές εταιρία'],
    ],
    PARTNERSHIP: [
      ['GR_OE', 'TIZ2', 'Ομόρρυθμη Εταιρεία; Ο.Ε.; O.E.; Ομόρρυθμη Εταιρία', 'Omorrythmi Etairia'],
      ['GR_EE', '54AL', 'Ετερόρρυθμη Εταιρεία; Ε.Ε.; E.E.; Ετερόρρυθμη Εταιρία', 'Eterorrythmi Etairia'],
      ['GR_AFANIS', 'L8D6', 'Αφανής Εταιρεία', 'Αφανής Εταιρία'],
      [
        'GR_ASTIKI',
        'HKVP',
        'Αστική Εταιρεία',
        'Αστική (Προσωπική) Εταιρία; Αστική Εταιρία; Αστική Επαγγελματική Εταιρεία; Δικηγορική Εταιρεία',
      ],
      ['GR_KOINOPRAXIA', 'MCWR', 'Κοινοπραξία; Κ/Ξ; Κ/ΞΙΑ'],
      ['GR_SYMPLOIOKTISIA', 'VKSR', 'Συμπλοιοκτησία'],
      ['GR_EOOS', 'QNWW', 'Ευρωπαϊκός Όμιλος Οικονομικού Σκοπού; Ε.Ο.Ο.Σ.'],
    ],
    SOLE_TRADER: [
      [
        'GR_ATOMIKI',
        null,
        'Ατομική Επιχείρηση',
        'Ελεύθερος Επαγγελματίας; Φυσικό Πρόσωπο; Έμπορος; Atomiki Epicheirisi',
      ],
    ],
    COOPERATIVE: [
      [
        'GR_SYNETAIRISMOS',
        'J3VJ',
        'Συνεταιρισμός; ΣΥΝ.Π.Ε.; Συν. Π.Ε.',
        'Αγροτικός Συνεταιρισμός; Αστικός Συνεταιρισμός; Συνεταιρισμός Περιορισμένης Ευθύνης',
      ],
      [
        'GR_KOINSEP',
        null,
        'Κοινωνική Συνεταιριστική Επιχείρηση; Κοιν.Σ.Επ.; ΚΟΙΝΣΕΠ; Κοινωνική Συνεταιριστική Επιχείρηση',
      ],
    ],
    GOVERNMENT: [
      ['GR_NPDD', 'L6IY', 'Νομικό Πρόσωπο Δημοσίου Δικαίου; Ν.Π.Δ.Δ.', 'Νομικά Πρόσωπα Δημοσίου Δικαίου'],
      [
        'GR_OTA',
        null,
        'Οργανισμός Τοπικής Αυτοδιοίκησης; Ο.Τ.Α.',
        'Δήμος; Περιφέρεια; Δημόσια Υπηρεσία; Υπουργείο; Δημόσιο',
      ],
    ],
    OTHER: [
      [
        'GR_SOMATEIO',
        'QSYQ',
        'Σωματείο ή ίδρυμα',
        'Σωματείο; Σωματεία - Ιδρύματα; Ίδρυμα; Σύλλογος; Σύλλογος - Σωματείο',
      ],
      [
        'GR_AMKE',
        null,
        'Αστική Μη Κερδοσκοπική Εταιρεία; Α.Μ.Κ.Ε.',
        'Αστική Μη Κερδοσκοπική Εταιρία; Μη Κερδοσκοπική Οργάνωση',
      ],
      [
        'GR_YPOKATASTIMA',
        null,
        'Υποκατάστημα αλλοδαπής εταιρείας',
        'Υποκατάστημα; Υποκατάστημα Αλλοδαπής; Αλλοδαπή Εταιρεία; Αλλοδαπή Εταιρία',
      ],
    ],
  },
};

export const CY: CountryForms = {
  languages: ['EL'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      [
        'CY_LTD',
        'K9L6',
        'Ιδιωτική Εταιρεία Περιορισμένης Ευθύνης με μετοχές; ΛΤΔ; Λίμιτεδ; Ltd; Limited; Εταιρεία Περιορισμένης Ευθύνης',
        'Private company limited by shares; Private limited company; Private limited liability company; Limited company; Εταιρεία; Ιδιωτική Εταιρεία',
      ],
      [
        'CY_GUARANTEE',
        'W86L',
        'Εταιρεία Περιορισμένης Ευθύνης με εγγύηση, χωρίς μετοχικό κεφάλαιο',
        'Company limited by guarantee; Εταιρεία Περιορισμένης Ευθύνης με εγγύηση; Private company limited by guarantee without share capital',
      ],
      [
        'CY_GUARANTEE_SHARES',
        'INTY',
        'Εταιρεία Περιορισμένης Ευθύνης με εγγύηση, και που έχει μετοχικό κεφάλαιο',
        'Company limited by guarantee with share capital',
      ],
    ],
    PUBLIC_COMPANY: [
      [
        'CY_PLC',
        'BCF5',
        'Δημόσια Εταιρεία Περιορισμένης Ευθύνης με μετοχές; Public Ltd; Public Limited; PLC; Δημόσια ΛΤΔ; Δημόσια Λίμιτεδ',
        'Public company limited by shares; Public limited company; Δημόσια Εταιρεία Περιορισμένης Ευθύνης; Δημόσια Εταιρεία',
      ],
      [
        'CY_SE',
        '8BL9',
        'Ευρωπαϊκή Δημόσια Εταιρεία Περιορισμένης Ευθύνης; SE; Societas Europaea',
        'European public limited liability company; Ευρωπαϊκή Εταιρεία',
      ],
    ],
    PARTNERSHIP: [
      [
        'CY_OMORRYTHMOS',
        null,
        'Ομόρρυθμος Συνεταιρισμός',
        'General partnership; Συνεταιρισμός γενικός; Partnership',
      ],
      ['CY_ETERORRYTHMOS', null, 'Ετερόρρυθμος Συνεταιρισμός', 'Limited partnership'],
      [
        'CY_EOOS',
        'P5JT',
        'Ευρωπαϊκός Όμιλος Οικονομικού Σκοπού; Ε.Ο.Ο.Σ.',
        'European economic interest grouping',
      ],
    ],
    SOLE_TRADER: [
      [
        'CY_AFTOERGODOTOUMENOS',
        'I8RE',
        'Αυτοτελώς εργαζόμενος',
        'Αυτοεργοδοτούμενος; Sole trader; Self-employed; Sole proprietor; Φυσικό Πρόσωπο',
      ],
    ],
    COOPERATIVE: [
      ['CY_SYNETAIRISMOS', '233U', 'Συνεταιρισμός', 'Συνεργατική Εταιρεία; Cooperative; Cooperative society'],
      [
        'CY_SPI',
        'U24X',
        'Συνεργατικό Πιστωτικό Ίδρυμα',
        'Συνεργατικά Πιστωτικά Ιδρύματα; Cooperative credit institution',
      ],
    ],
    GOVERNMENT: [
      [
        'CY_DIMOSIO_DIKAIO',
        'T1JS',
        'Οντότητα που διέπεται από το δημόσιο δίκαιο',
        'Οντότητες που διέπονται από το δημόσιο δίκαιο; Ημικρατικός Οργανισμός; Δήμος; Κοινοτικό Συμβούλιο; Υπουργείο; Public body',
      ],
    ],
    OTHER: [
      [
        'CY_SOMATEIO',
        'GLCH',
        'Σωματείο ή ίδρυμα',
        'Σωματεία και Ιδρυμάτα; Σωματείο; Ίδρυμα; Association; Foundation',
      ],
      ['CY_TRUST', '8VZ0', 'Trust', 'Εμπίστευμα; Cyprus international trust'],
      [
        'CY_TAMEIO',
        'P12B',
        'Ταμείο Προνοίας ή Συντάξεως',
        'Ταμεία Προνοίας/ Συντάξεως; Provident fund; Pension fund',
      ],
      ['CY_ALLODAPI', null, 'Αλλοδαπή Εταιρεία', 'Overseas company; Branch; Υποκατάστημα; Foreign company'],
    ],
  },
};

export const MT: CountryForms = {
  languages: ['MT', 'EN'],
  inFront: null,
  forms: {
    LIMITED_COMPANY: [
      [
        'MT_LTD',
        'V89C',
        {
          MT: 'Kumpanija privata b’responsabbiltà limitata; Ltd',
          EN: 'Private limited liability company; Ltd; Limited; Co. Ltd; Company Limited',
        },
        'Kumpanija privata; Private limited company; Limited liability company; Private exempt limited liability company',
      ],
    ],
    PUBLIC_COMPANY: [
      [
        'MT_PLC',
        'C061',
        {
          MT: 'Kumpanija pubblika b’responsabbiltà limitata; p.l.c.',
          EN: 'Public limited liability company; p.l.c.',
        },
        'Kumpanija pubblika; Public limited company',
      ],
      ['MT_SE', 'CR7N', { MT: 'Kumpanija Ewropea; SE', EN: 'European company; SE; Societas Europaea' }],
    ],
    PARTNERSHIP: [
      [
        'MT_EN_NOM_COLLECTIF',
        'JOZN',
        { MT: 'Soċjetà f’isem kollettiv', EN: 'Partnership en nom collectif' },
        'General partnership; Partnership',
      ],
      [
        'MT_EN_COMMANDITE',
        'BVJ0',
        { MT: 'Soċjetà in akkomandita; L.P.', EN: 'Partnership en commandite; L.P.; Limited Partnership' },
        'Soċjetà in akkomandita jew soċjetà limitata; Partnership en commendite or limited partnership',
      ],
      [
        'MT_EEIG',
        'YB0U',
        { MT: 'Grupp Ewropew b’interess ekonomiku; EEIG', EN: 'European economic interest grouping; EEIG' },
      ],
    ],
    SOLE_TRADER: [
      [
        'MT_SOLE_TRADER',
        'DJ2D',
        { MT: 'Kummerċjant individwali', EN: 'Sole trader' },
        'Self-employed; Sole proprietor; Sole trader',
      ],
    ],
    COOPERATIVE: [
      ['MT_COOP', 'F5X7', { MT: 'Kooperattiva', EN: 'Cooperative' }, 'Cooperative society; Koperattiva'],
    ],
    GOVERNMENT: [
      [
        'MT_GOVERNMENT',
        '9QHJ',
        { MT: 'Entità tal-gvern', EN: 'Government entity' },
        'Local council; Kunsill lokali; Ministry; Ministeru',
      ],
    ],
    OTHER: [
      ['MT_ASSOCIATION', 'J4S1', { MT: 'Assoċjazzjoni', EN: 'Association' }, 'Voluntary organisation'],
      ['MT_FOUNDATION', '3U3Y', { MT: 'Fondazzjoni', EN: 'Foundation' }],
      ['MT_TRUST', null, { MT: 'Trust', EN: 'Trust' }],
      [
        'MT_SICAV',
        null,
        { MT: 'SICAV', EN: 'Investment company with variable share capital; SICAV' },
        'SICAV p.l.c.',
      ],
      [
        'MT_OVERSEAS',
        null,
        { MT: 'Fergħa ta’ kumpanija barranija', EN: 'Overseas company (branch)' },
        'Overseas company; Branch',
      ],
    ],
  },
};
