-- Whether urgent approvals pass do-not-disturb and quiet hours.
-- works with: spaces/0007-active-users
ALTER TABLE spaces ADD COLUMN urgent_approvals boolean NOT NULL DEFAULT false;
