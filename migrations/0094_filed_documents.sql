-- What mails had attached about invoices: what it says is stored once, sealed, and filed with each invoice that it names.
create table filed_documents (
  platform_id integer not null,
  document_id text not null,
  kind text not null check (kind in ('REMINDER', 'ASSIGNMENT_NOTICE')),
  -- The merchant of all its invoices; null where they are of several.
  merchant_external_id external_id,
  -- The mails or the letter that took it along. Their notices tell whether they left.
  causes text[] not null,
  -- By the platform's clock.
  filed_at unix_seconds not null,
  body_sealed bytea not null,
  primary key (platform_id, document_id),
  foreign key (platform_id) references platforms
);
grant select, insert on filed_documents to tradeline_service;

create table filed_document_invoices (
  platform_id integer not null,
  invoice_external_id external_id not null,
  document_id text not null,
  -- That of the document, by which they are listed.
  filed_at unix_seconds not null,
  primary key (platform_id, invoice_external_id, document_id),
  foreign key (platform_id, document_id) references filed_documents,
  foreign key (platform_id, invoice_external_id) references invoices
);
create index filed_document_invoices_by_filed_at on filed_document_invoices (platform_id, invoice_external_id, filed_at, document_id);
grant select, insert on filed_document_invoices to tradeline_service;

insert into filed_documents
select platform_id, mailing_id, 'REMINDER', nullif(creditor, ''), array['dunning/' || mailing_id || '/' || compositions], created_at,
  document_sealed
from dunning_mailings where document_sealed is not null;

insert into filed_document_invoices
select distinct i.platform_id, i.external_id, l.mailing_id, l.created_at
from dunning_mailings l
join invoices i on i.platform_id = l.platform_id and i.buyer_external_id = l.buyer_external_id
  and l.creditor in ('', i.merchant_external_id)
join invoice_dunning_transitions t on t.platform_id = i.platform_id and t.invoice_external_id = i.external_id
  and t.trigger = 'step' and t.step_on = l.mailed_on
where l.document_sealed is not null;

alter table dunning_mailings drop column document_sealed;
