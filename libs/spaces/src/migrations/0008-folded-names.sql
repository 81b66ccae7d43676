-- Names as they are compared: without accents, in lower case.
-- works with: spaces/0007-active-users
CREATE FUNCTION folded(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT replace(translate(lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g')), 'ς', 'σ'), 'ß', 'ss')
$$;
