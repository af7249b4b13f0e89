-- Run before the users of composition `single` connect: MySQL has no compound
-- statements outside routines, and so not this composition.
BEGIN NOT ATOMIC DO 0; END;
