-- The rate of late interest of the platform's own terms, where it is lower than the law's; null for the law's.
alter table platforms add column late_interest_basis_points integer
  check (late_interest_basis_points between 0 and 100000);
