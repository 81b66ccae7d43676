-- Of kinds that sign every attempt afresh: the headers that only this attempt had.
ALTER TABLE delivery_attempts ADD COLUMN headers text;
