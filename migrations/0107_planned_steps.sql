-- works from 0104
-- What the plan said of a step when it was taken. A plan that comes into force later can have another step at its number.
alter table invoice_dunning_transitions
  -- Days from the due day. Null for other transitions, and where a version of before this migration took the step.
  add column days integer,
  -- Whether it was worded firmly.
  add column is_firm boolean;
