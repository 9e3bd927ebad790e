-- What the document of a mailing says, sealed. Mails name it, and it is typeset when they are sent.
alter table dunning_mailings add column document_sealed bytea;
