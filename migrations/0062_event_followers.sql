-- Who follows the event stream has a name, and a position of its own on each platform.
create table event_followers (
  platform_id integer not null references platforms,
  follower text not null,
  position_last bigint not null,
  primary key (platform_id, follower)
);
insert into event_followers (platform_id, follower, position_last)
select platform_id, 'order_mails', position_last from outcome_mail_positions;
drop table outcome_mail_positions;

grant insert, select, update on event_followers to tradeline_service;
