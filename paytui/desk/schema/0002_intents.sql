-- The log of intents of all outboxes of a desk: what was confirmed, what left, and what came of it.
--
-- Rows are only added, one at a time: whoever holds log_head adds the next one, linked to the one
-- before by its hash. So the log has one order, without gaps, and a reader asks for what is new by a
-- number. Functions that no trader needs run with the caller's rights, who may write no table.

CREATE TABLE paytui.outboxes (
  outbox bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client text NOT NULL,
  who name NOT NULL,
  host text NOT NULL,
  path text NOT NULL,
  version text NOT NULL,
  seen timestamptz NOT NULL,
  replayed bigint NOT NULL DEFAULT 0,
  UNIQUE (client, who, host, path)
);
COMMENT ON TABLE paytui.outboxes IS
  'The files that seats send from. client: identifies service and client id. replayed: the last epoch in which all of its rows were handed in.';

CREATE TABLE paytui.epoch (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  number bigint NOT NULL,
  server text NOT NULL,
  timeline integer NOT NULL,
  began timestamptz NOT NULL,
  is_open boolean NOT NULL
);
COMMENT ON TABLE paytui.epoch IS
  'The time since this server became the primary. After a failover the log may lack its last rows: '
  'nothing leaves until all outboxes of the day before have handed in theirs.';

CREATE TABLE paytui.lost (
  epoch bigint NOT NULL,
  outbox bigint NOT NULL REFERENCES paytui.outboxes,
  made_by name NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (epoch, outbox, made_by)
);
COMMENT ON TABLE paytui.lost IS
  'Who said that an outbox is lost for good. An epoch does not wait for it once two traders say so.';

CREATE TABLE paytui.log (
  n bigint PRIMARY KEY,
  intent text NOT NULL,
  outbox bigint NOT NULL REFERENCES paytui.outboxes,
  local integer,
  kind text NOT NULL,
  departure integer,
  leave_by timestamptz,
  arrive_by timestamptz,
  document text NOT NULL,
  made_by name NOT NULL,
  at timestamptz NOT NULL,
  epoch bigint NOT NULL,
  before text NOT NULL,
  hash text NOT NULL,
  CHECK ((kind = 'recorded') = (local IS NOT DISTINCT FROM 0)),
  CHECK ((kind = 'sending') = (departure IS NOT NULL))
);
COMMENT ON TABLE paytui.log IS
  'local: the number of the row among those of its intent in its outbox; NULL: a colleague decided. '
  'departure: 1 for the first attempt to send it, 2 for its first repeat. leave_by: its first byte '
  'leaves before that, or never. arrive_by: from then on it cannot arrive any more.';

CREATE UNIQUE INDEX one_row ON paytui.log (intent, local);
CREATE UNIQUE INDEX one_departure ON paytui.log (intent, departure);
CREATE INDEX newest_row ON paytui.log (intent, n);
CREATE INDEX recent_records ON paytui.log (at) WHERE local = 0;

CREATE TABLE paytui.log_head (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  n bigint NOT NULL,
  hash text NOT NULL
);
INSERT INTO paytui.log_head (n, hash) VALUES (0, '');

CREATE FUNCTION paytui.refuse() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE 'the log of intents is append-only';
END
$$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON paytui.log
FOR EACH STATEMENT EXECUTE FUNCTION paytui.refuse();

-- The hash of texts: each with its length, so that no other texts read the same.
CREATE FUNCTION paytui.hash_of(VARIADIC said text[]) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT encode(sha256(convert_to(string_agg(
    CASE WHEN each IS NULL THEN '-' ELSE length(each) || ':' || each END, ',' ORDER BY place
  ), 'UTF8')), 'hex') FROM unnest(said) WITH ORDINALITY AS texts(each, place)
$$;

CREATE FUNCTION paytui.moment(at timestamptz) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')
$$;

-- Add a row; its number, time and author are not the caller's to choose.
CREATE FUNCTION paytui.add_row(its paytui.log) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  head paytui.log_head;
BEGIN
  SELECT * INTO head FROM paytui.log_head FOR UPDATE;
  its.n := head.n + 1;
  its.made_by := session_user;
  its.at := clock_timestamp();
  its.epoch := (SELECT number FROM paytui.epoch);
  its.before := head.hash;
  its.hash := paytui.hash_of(
    its.before, its.n::text, its.intent, its.outbox::text, its.local::text, its.kind,
    its.departure::text, paytui.moment(its.leave_by), paytui.moment(its.arrive_by), its.document,
    its.made_by::text, paytui.moment(its.at), its.epoch::text
  );
  INSERT INTO paytui.log SELECT its.*;
  UPDATE paytui.log_head SET n = its.n, hash = its.hash;
END
$$;

-- Epochs

-- pg_control_checkpoint() tells a new timeline only minutes after a promotion, with its checkpoint.
CREATE FUNCTION paytui.timeline() RETURNS integer
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
  SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer
$$;

CREATE FUNCTION paytui.server() RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT system_identifier::text FROM pg_control_system()
$$;

INSERT INTO paytui.epoch (number, server, timeline, began, is_open)
VALUES (1, paytui.server(), paytui.timeline(), clock_timestamp(), true);

-- Return the epoch; begin a closed one if this server is another, or was promoted.
CREATE FUNCTION paytui.this_epoch() RETURNS paytui.epoch
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  now paytui.epoch;
BEGIN
  SELECT * INTO now FROM paytui.epoch;
  IF (now.server, now.timeline) IS DISTINCT FROM (paytui.server(), paytui.timeline()) THEN
    PERFORM FROM paytui.log_head FOR UPDATE;
    UPDATE paytui.epoch SET
      number = number + 1, server = paytui.server(), timeline = paytui.timeline(),
      began = clock_timestamp(), is_open = false
    WHERE (server, timeline) IS DISTINCT FROM (paytui.server(), paytui.timeline());
    SELECT * INTO now FROM paytui.epoch;
  END IF;
  RETURN now;
END
$$;

-- The outboxes that a closed epoch waits for.
CREATE FUNCTION paytui.awaited() RETURNS SETOF paytui.outboxes
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT outboxes.* FROM paytui.outboxes, paytui.epoch
  WHERE NOT is_open AND replayed < number AND seen > began - interval '1 day'
    AND (
      SELECT count(*) FROM paytui.lost
      WHERE lost.epoch = number AND lost.outbox = outboxes.outbox
    ) < 2
$$;

CREATE FUNCTION paytui.open_if_complete() RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
  UPDATE paytui.epoch SET is_open = true
  WHERE NOT is_open AND NOT EXISTS (SELECT FROM paytui.awaited())
$$;

-- Outboxes

CREATE FUNCTION paytui.enter_outbox(
  its_client text, its_host text, its_path text, its_version text
) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
  INSERT INTO paytui.outboxes (client, who, host, path, version, seen)
  VALUES (its_client, session_user, its_host, its_path, its_version, clock_timestamp())
  ON CONFLICT (client, who, host, path) DO UPDATE SET version = its_version, seen = clock_timestamp()
  RETURNING outbox
$$;

CREATE FUNCTION paytui.check_outbox(its_outbox bigint) RETURNS paytui.outboxes
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found_one paytui.outboxes;
BEGIN
  SELECT * INTO found_one FROM paytui.outboxes WHERE outbox = its_outbox AND who = session_user;
  IF NOT FOUND THEN
    RAISE 'outbox % is not one of %', its_outbox, session_user USING ERRCODE = '42501';
  END IF;
  RETURN found_one;
END
$$;

-- Tell that the outbox is in use; NULL for a program that only reads. Return the epoch and its beginning, whether it is open and all rows
-- of the outbox are handed in, and the newest row; then what the epoch waits for. Seats look every two
-- seconds, so one array saves the names of columns.
CREATE FUNCTION paytui.look(its_outbox bigint) RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  ours paytui.outboxes;
  now paytui.epoch := paytui.this_epoch();
  head paytui.log_head;
BEGIN
  IF its_outbox IS NOT NULL THEN
    ours := paytui.check_outbox(its_outbox);
  END IF;
  IF ours.seen < clock_timestamp() - interval '10 seconds' THEN
    UPDATE paytui.outboxes SET seen = clock_timestamp() WHERE outbox = its_outbox;
  END IF;
  SELECT * INTO head FROM paytui.log_head;
  RETURN ARRAY[
    now.number::text, extract(epoch FROM now.began)::text, now.is_open::text,
    coalesce(ours.replayed >= now.number, false)::text, head.n::text, head.hash
  ] || ARRAY(SELECT who || ' on ' || host FROM paytui.awaited() ORDER BY outbox);
END
$$;

CREATE FUNCTION paytui.replayed(its_outbox bigint, its_epoch bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
BEGIN
  PERFORM paytui.check_outbox(its_outbox);
  PERFORM FROM paytui.log_head FOR UPDATE;
  UPDATE paytui.outboxes SET replayed = its_epoch
  WHERE outbox = its_outbox AND its_epoch = (SELECT number FROM paytui.epoch);
  PERFORM paytui.open_if_complete();
END
$$;

-- Say that all outboxes of a host are lost for good. Two traders have to.
CREATE FUNCTION paytui.say_lost(its_host text) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
BEGIN
  PERFORM FROM paytui.log_head FOR UPDATE;
  RETURN QUERY SELECT who || ' on ' || host || ': ' || path FROM paytui.awaited()
    WHERE host = its_host ORDER BY outbox;
  INSERT INTO paytui.lost (epoch, outbox, made_by, at)
  SELECT number, outbox, session_user, clock_timestamp()
  FROM paytui.awaited() AS awaited, paytui.epoch WHERE host = its_host
  ON CONFLICT DO NOTHING;
  PERFORM paytui.open_if_complete();
END
$$;

-- Rows that are handed in

-- Return the row of an array of rows that is at a place, the first one at 0.
CREATE FUNCTION paytui.row_of(its_outbox bigint, rows jsonb, place integer, patience interval)
RETURNS paytui.log
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  its paytui.log := jsonb_populate_record(NULL::paytui.log, rows -> place);
BEGIN
  its.outbox := its_outbox;
  its.leave_by := NULL;
  its.arrive_by := CASE its.kind
    WHEN 'sending' THEN clock_timestamp() + patience + interval '50 seconds'
    WHEN 'in doubt' THEN clock_timestamp() + patience + interval '30 seconds'
  END;
  RETURN its;
END
$$;

-- Add the rows that the log lacks, up to a place. An intent's rows are of one outbox.
CREATE FUNCTION paytui.add_missing(
  its_outbox bigint, rows jsonb, up_to integer, patience interval
) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  its paytui.log;
BEGIN
  PERFORM FROM paytui.log_head FOR UPDATE;
  FOR place IN 0 .. up_to LOOP
    its := paytui.row_of(its_outbox, rows, place, patience);
    CONTINUE WHEN EXISTS (
      SELECT FROM paytui.log WHERE intent = its.intent
        AND (local = its.local OR departure = its.departure)
    ) OR its.local <> 0 AND NOT EXISTS (
      SELECT FROM paytui.log WHERE intent = its.intent AND local = 0 AND outbox = its_outbox
    );
    PERFORM paytui.add_row(its);
  END LOOP;
END
$$;

CREATE FUNCTION paytui.hand_in(its_outbox bigint, rows jsonb, patience interval) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
BEGIN
  PERFORM paytui.check_outbox(its_outbox);
  PERFORM paytui.add_missing(its_outbox, rows, jsonb_array_length(rows) - 1, patience);
END
$$;

-- Commits of this transaction wait for the disk, whatever the role's own setting is.
CREATE FUNCTION paytui.commit_safely() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF current_setting('synchronous_commit') IN ('off', 'local') THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
END
$$;

CREATE FUNCTION paytui.newest(its_intent text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT kind FROM paytui.log WHERE intent = its_intent AND kind NOT IN ('sighted', 'alert')
  ORDER BY n DESC LIMIT 1
$$;

-- Let an intent leave: the last of its rows is the attempt. Return NULL, or why it must not leave:
-- closed, settled as not done, or left, if it may have left before or is another outbox's. An index
-- refuses the same departure twice. It leaves within 20 seconds after this transaction, or never.
CREATE FUNCTION paytui.depart(its_outbox bigint, rows jsonb, patience interval) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  ours paytui.outboxes := paytui.check_outbox(its_outbox);
  now paytui.epoch := paytui.this_epoch();
  last CONSTANT integer := jsonb_array_length(rows) - 1;
  its paytui.log;
BEGIN
  PERFORM paytui.commit_safely();
  IF NOT now.is_open OR ours.replayed < now.number THEN
    RETURN 'closed';
  END IF;
  PERFORM paytui.add_missing(its_outbox, rows, last - 1, patience);
  its := paytui.row_of(its_outbox, rows, last, patience);
  IF NOT EXISTS (
    SELECT FROM paytui.log WHERE intent = its.intent AND local = 0 AND outbox = its_outbox
  ) THEN
    RETURN 'left';
  ELSIF paytui.newest(its.intent) NOT IN
    ('recorded', 'goes to another path', 'sending', 'in doubt')
  THEN
    RETURN CASE WHEN paytui.newest(its.intent) = 'settled as not done' AND NOT EXISTS (
      SELECT FROM paytui.log WHERE intent = its.intent AND departure = its.departure
    ) THEN 'settled' ELSE 'left' END;
  ELSIF its.departure > 1 AND NOT EXISTS (
    SELECT FROM paytui.log WHERE intent = its.intent AND departure = its.departure - 1
  ) THEN
    RAISE 'departure % of % follows none', its.departure, its.intent;
  END IF;
  its.leave_by := clock_timestamp() + interval '20 seconds';
  BEGIN
    PERFORM paytui.add_row(its);
  EXCEPTION WHEN unique_violation THEN
    RETURN 'left';
  END;
  RETURN NULL;
END
$$;

-- Settle what another outbox's program left when it ended. Return NULL, or why not: closed, settled,
-- alive, or early, while it may still arrive.
CREATE FUNCTION paytui.settle(
  its_outbox bigint, its_intent text, its_kind text, its_document text
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  ours paytui.outboxes := paytui.check_outbox(its_outbox);
  now paytui.epoch := paytui.this_epoch();
  its paytui.log;
BEGIN
  PERFORM paytui.commit_safely();
  PERFORM FROM paytui.log_head FOR UPDATE;
  IF NOT now.is_open OR ours.replayed < now.number THEN
    RETURN 'closed';
  ELSIF its_kind NOT IN ('settled as done', 'settled as not done') THEN
    RAISE '% settles nothing', its_kind;
  ELSIF coalesce(paytui.newest(its_intent), '') NOT IN
    ('recorded', 'goes to another path', 'sending', 'in doubt')
  THEN
    RETURN 'settled';
  ELSIF EXISTS (
    SELECT FROM paytui.log JOIN paytui.outboxes USING (outbox)
    WHERE intent = its_intent AND local = 0
      AND (outbox = its_outbox OR seen > clock_timestamp() - interval '30 seconds')
  ) THEN
    RETURN 'alive';
  ELSIF its_kind = 'settled as not done' AND EXISTS (
    SELECT FROM paytui.log WHERE intent = its_intent AND arrive_by > clock_timestamp()
  ) THEN
    RETURN 'early';
  END IF;
  its.intent := its_intent;
  its.outbox := its_outbox;
  its.kind := its_kind;
  its.document := its_document;
  PERFORM paytui.add_row(its);
  RETURN NULL;
END
$$;
