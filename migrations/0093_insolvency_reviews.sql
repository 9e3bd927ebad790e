-- The insolvency of a buyer opens a review, which ends without a credit decision.
alter table credit_reviews drop constraint credit_reviews_subject_check;
alter table credit_reviews add constraint credit_reviews_subject_check
  check (subject in ('FACILITY_CREATION', 'FACILITY_RENEWAL', 'FACILITY_INCREASE', 'ORDER', 'FINANCING', 'INSOLVENCY'));
