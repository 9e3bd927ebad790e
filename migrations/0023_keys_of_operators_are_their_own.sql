-- A person makes the key of an operator, and hands over its hash. Keys that another person has seen, who added the operator,
-- prove nobody: they stop working.
update operators set secret_sha256 = '' where is_key_initial;
alter table operators drop column is_key_initial;

-- Proposed with such a key.
update approvals set status = 'REJECTED', decided_at = proposed_at, decided_by = 'migration',
  decision_reason = 'The proposer had seen the key.'
where kind = 'OPERATOR' and status = 'PROPOSED';
