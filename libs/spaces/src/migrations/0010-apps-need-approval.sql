-- Whether admins must approve apps that members want to use.
-- works with: spaces/0009-urgent-approvals
ALTER TABLE spaces ADD COLUMN apps_need_approval boolean NOT NULL DEFAULT true;
