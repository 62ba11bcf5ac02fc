-- The log of intents of all outboxes of a desk: what was confirmed, what left, and what came of it.
--
-- Rows are only added, one at a time: whoever holds log_head adds the next one, linked to the one
-- before by its hash. So the log has one order, without gaps, and a reader asks for what is new by a
-- number. Functions that no trader needs run with the caller's rights, who may write no table.
--
-- Times that this clock cannot have written yet do not count: see is_running.

CREATE TABLE paytui.outboxes (
  outbox bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client text NOT NULL CHECK (octet_length(client) <= 1000),
  identity text NOT NULL CHECK (octet_length(identity) <= 100),
  run text UNIQUE CHECK (octet_length(run) <= 100),
  file text NOT NULL CHECK (octet_length(file) <= 1000),
  who name NOT NULL,
  host text NOT NULL CHECK (octet_length(host) <= 1000),
  path text NOT NULL CHECK (octet_length(path) <= 5000),
  version text NOT NULL CHECK (octet_length(version) <= 100),
  seen timestamptz NOT NULL,
  replayed bigint NOT NULL DEFAULT 0,
  UNIQUE (client, identity)
);
COMMENT ON TABLE paytui.outboxes IS
  'The files that seats send from. client: identifies service and client id. identity: the hash of a '
  'random text in the file, which goes with it to another host, path or role. run: a random text of '
  'the one program that may use it. file: differs between a file and its copies. replayed: the last '
  'epoch in which all of its rows were handed in.';

CREATE TABLE paytui.epoch (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  number bigint NOT NULL,
  server text NOT NULL,
  timeline integer NOT NULL,
  began timestamptz NOT NULL,
  last_seen timestamptz NOT NULL,
  is_open boolean NOT NULL
);
COMMENT ON TABLE paytui.epoch IS
  'The time since this server became the primary. After a failover the log may lack its last rows: '
  'nothing leaves until all outboxes of the day before last_seen have handed in theirs. last_seen: when '
  'an outbox was last used in the epoch before, which may be days before this one began.';

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
  intent text NOT NULL CHECK (octet_length(intent) <= 100),
  outbox bigint NOT NULL REFERENCES paytui.outboxes,
  local integer,
  kind text NOT NULL CHECK (octet_length(kind) <= 40),
  departure integer,
  decision text CHECK (octet_length(decision) <= 100),
  leave_by timestamptz,
  arrive_by timestamptz,
  document text NOT NULL CHECK (octet_length(document) <= 65536),
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
  'departure: 1 for the first attempt to send it, 2 for its first repeat. decision: identifies the '
  'decision that a row makes, or adopts. leave_by: its first byte leaves before that, or never. '
  'arrive_by: from then on it cannot arrive any more.';

CREATE UNIQUE INDEX one_row ON paytui.log (intent, local);
CREATE UNIQUE INDEX one_departure ON paytui.log (intent, departure);
CREATE UNIQUE INDEX one_decision ON paytui.log (intent, decision) WHERE local IS NULL;
CREATE INDEX newest_row ON paytui.log (intent, n);
CREATE INDEX recent_records ON paytui.log (at) WHERE local = 0;

CREATE TABLE paytui.open_intents (intent text PRIMARY KEY);
COMMENT ON TABLE paytui.open_intents IS
  'Intents that nobody has ended, as `newest` tells; derived from the log.';

CREATE TABLE paytui.log_head (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  n bigint NOT NULL,
  hash text NOT NULL
);
INSERT INTO paytui.log_head (n, hash) VALUES (0, '');

CREATE FUNCTION paytui.refuse() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE 'paytui.% is append-only', TG_TABLE_NAME;
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

-- Return true for a kind of row after which an intent is open; NULL for none.
CREATE FUNCTION paytui.is_open(kind text) RETURNS boolean
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT kind IN ('recorded', 'goes to another path', 'sending', 'in doubt')
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

-- Lock the log until the end of the transaction, which ends if nothing happens in it: a trader may have
-- begun it and gone away. A crash of the server takes back no row that somebody has seen.
CREATE FUNCTION paytui.lock_log() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM paytui.commit_safely();
  PERFORM set_config('idle_in_transaction_session_timeout', '4s', true);
  PERFORM FROM paytui.log_head FOR UPDATE;
END
$$;

-- Return the kind of the row that says where an intent stands. A colleague's decision counts until its
-- outbox has recorded that, or another end. So it counts in whatever order both are handed in. If a
-- proposal was refused before it left, nothing that is handed in opens it again.
CREATE FUNCTION paytui.newest(its_intent text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  WITH own AS (
    SELECT kind FROM paytui.log
    WHERE intent = its_intent AND local IS NOT NULL
      AND kind NOT IN ('sighted', 'alert', 'proposed', 'partly approved', 'approved')
    ORDER BY n DESC LIMIT 1
  ), decided AS (
    SELECT kind FROM paytui.log AS decided
    WHERE intent = its_intent AND local IS NULL AND decision IS NOT NULL AND NOT EXISTS (
      SELECT FROM paytui.log
      WHERE intent = its_intent AND local IS NOT NULL AND decision = decided.decision
        AND kind IN ('settled as done', 'settled as not done')
        AND (
          EXISTS (SELECT FROM paytui.log WHERE intent = its_intent AND departure > 0 AND n < decided.n)
          OR NOT EXISTS (
            SELECT FROM paytui.log WHERE intent = its_intent AND kind = 'proposed' AND n < decided.n
          )
        )
    ) ORDER BY n DESC LIMIT 1
  )
  SELECT CASE
    WHEN coalesce(paytui.is_open((SELECT kind FROM own)), true)
    THEN coalesce((SELECT kind FROM decided), (SELECT kind FROM own))
    ELSE (SELECT kind FROM own)
  END
$$;

-- Add a row; its number, time and author are not the caller's to choose.
CREATE FUNCTION paytui.add_row(its paytui.log) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  head paytui.log_head;
BEGIN
  PERFORM paytui.lock_log();
  SELECT * INTO head FROM paytui.log_head;
  its.n := head.n + 1;
  its.made_by := session_user;
  its.at := clock_timestamp();
  its.epoch := (SELECT number FROM paytui.epoch);
  its.before := head.hash;
  its.hash := paytui.hash_of(
    its.before, its.n::text, its.intent, its.outbox::text, its.local::text, its.kind,
    its.departure::text, its.decision, paytui.moment(its.leave_by), paytui.moment(its.arrive_by),
    its.document, its.made_by::text, paytui.moment(its.at), its.epoch::text
  );
  INSERT INTO paytui.log SELECT its.*;
  UPDATE paytui.log_head SET n = its.n, hash = its.hash;
  NOTIFY paytui_log;
  IF paytui.is_open(paytui.newest(its.intent)) THEN
    INSERT INTO paytui.open_intents VALUES (its.intent) ON CONFLICT DO NOTHING;
  ELSE
    DELETE FROM paytui.open_intents WHERE intent = its.intent;
  END IF;
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

INSERT INTO paytui.epoch (number, server, timeline, began, last_seen, is_open)
VALUES (1, paytui.server(), paytui.timeline(), clock_timestamp(), clock_timestamp(), true);

-- Return the epoch; begin a closed one if this server is another, or was promoted.
CREATE FUNCTION paytui.this_epoch() RETURNS paytui.epoch
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  now paytui.epoch;
BEGIN
  SELECT * INTO now FROM paytui.epoch;
  IF (now.server, now.timeline) IS DISTINCT FROM (paytui.server(), paytui.timeline()) THEN
    PERFORM paytui.lock_log();
    UPDATE paytui.epoch SET
      number = number + 1, server = paytui.server(), timeline = paytui.timeline(),
      began = clock_timestamp(), is_open = false,
      last_seen = coalesce((SELECT max(seen) FROM paytui.outboxes), clock_timestamp())
    WHERE (server, timeline) IS DISTINCT FROM (paytui.server(), paytui.timeline());
    SELECT * INTO now FROM paytui.epoch;
  END IF;
  RETURN now;
END
$$;

-- The outboxes that a closed epoch waits for. The limit tells the planner that there is one epoch: for
-- thousands it would compile the query at each look, which takes a third of a second.
CREATE FUNCTION paytui.awaited() RETURNS SETOF paytui.outboxes
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT outboxes.* FROM paytui.outboxes, (SELECT * FROM paytui.epoch LIMIT 1) AS epoch
  WHERE NOT is_open AND replayed < number AND seen > last_seen - interval '1 day'
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

-- Return NULL if the log has the row that an outbox has seen last, or begins another epoch than that of
-- the row; else the number of the log's newest row. A disk that is set back to an earlier time, and
-- started as it is, is of the same epoch. It is asked before the outbox enters: what an epoch waits for
-- depends on when outboxes were last seen.
CREATE FUNCTION paytui.check_head(
  its_epoch bigint, its_server text, its_timeline integer, its_n bigint, its_hash text
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  now paytui.epoch := paytui.this_epoch();
BEGIN
  IF its_n > 0 AND (now.number, now.server, now.timeline) = (its_epoch, its_server, its_timeline)
    AND NOT EXISTS (SELECT FROM paytui.log WHERE n = its_n AND hash = its_hash)
  THEN
    RETURN (SELECT n FROM paytui.log_head);
  END IF;
  RETURN NULL;
END
$$;

-- Return true if a program was seen in the last 30 seconds.
CREATE FUNCTION paytui.is_running(seen timestamptz) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT seen BETWEEN clock_timestamp() - interval '30 seconds'
    AND clock_timestamp() + interval '30 seconds'
$$;

-- Use an outbox by a program, its run. Return NULL, or in words which other program uses a copy of it.
-- A program that had the very same file has ended, since its lock was free.
CREATE FUNCTION paytui.enter_outbox(
  its_client text, its_secret text, its_run text, its_file text, its_host text, its_path text,
  its_version text
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  its_identity CONSTANT text := paytui.hash_of(its_secret);
  known paytui.outboxes;
BEGIN
  PERFORM paytui.this_epoch(); -- which looks at when outboxes were last seen
  INSERT INTO paytui.outboxes (client, identity, file, who, host, path, version, seen)
  VALUES (its_client, its_identity, its_file, session_user, its_host, its_path, its_version,
    to_timestamp(0))
  ON CONFLICT (client, identity) DO NOTHING;
  SELECT * INTO known FROM paytui.outboxes
  WHERE client = its_client AND identity = its_identity FOR UPDATE;
  IF known.run IS DISTINCT FROM its_run AND known.file <> its_file AND paytui.is_running(known.seen)
  THEN
    RETURN known.who || ' on ' || known.host || ': ' || known.path;
  END IF;
  UPDATE paytui.outboxes SET
    run = its_run, file = its_file, who = session_user, host = its_host, path = its_path,
    version = its_version, seen = clock_timestamp()
  WHERE outbox = known.outbox;
  RETURN NULL;
END
$$;

-- Return the outbox of a program, and note that it is running.
CREATE FUNCTION paytui.check_outbox(its_run text) RETURNS paytui.outboxes
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found_one paytui.outboxes;
BEGIN
  SELECT * INTO found_one FROM paytui.outboxes WHERE run = its_run AND who = session_user;
  IF NOT FOUND THEN
    RAISE 'another program uses this outbox, or a copy of it' USING ERRCODE = '42501';
  ELSIF abs(extract(epoch FROM clock_timestamp() - found_one.seen)) > 10 THEN
    UPDATE paytui.outboxes SET seen = clock_timestamp() WHERE run = its_run;
  END IF;
  RETURN found_one;
END
$$;

-- Return words, as seats look every two seconds: the epoch and its beginning, whether it is open and all
-- rows of the outbox are handed in, and the newest row; then what the epoch waits for. A program that only
-- reads has no run.
CREATE FUNCTION paytui.look(its_run text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  ours paytui.outboxes;
  now paytui.epoch := paytui.this_epoch();
  head paytui.log_head;
BEGIN
  IF its_run IS NOT NULL THEN
    ours := paytui.check_outbox(its_run);
  END IF;
  SELECT * INTO head FROM paytui.log_head;
  RETURN concat_ws(
    ' ',
    now.number, extract(epoch FROM now.began), now.is_open::text,
    coalesce(ours.replayed >= now.number, false)::text, head.n, head.hash,
    (SELECT string_agg(who || ' on ' || host, ', ' ORDER BY outbox) FROM paytui.awaited())
  );
END
$$;

CREATE FUNCTION paytui.replayed(its_run text, its_epoch bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
BEGIN
  PERFORM paytui.check_outbox(its_run);
  PERFORM paytui.lock_log();
  UPDATE paytui.outboxes SET replayed = its_epoch
  WHERE run = its_run AND its_epoch = (SELECT number FROM paytui.epoch);
  PERFORM paytui.open_if_complete();
END
$$;

-- Say that all outboxes of a host are lost for good. Two traders have to.
CREATE FUNCTION paytui.say_lost(its_host text) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
BEGIN
  PERFORM paytui.lock_log();
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

-- Add the rows that the log lacks, up to a place. An intent's rows are of one outbox.
CREATE FUNCTION paytui.add_missing(
  its_outbox bigint, rows jsonb, up_to integer, patience interval
) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  its paytui.log;
BEGIN
  PERFORM paytui.lock_log();
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

CREATE FUNCTION paytui.hand_in(its_run text, rows jsonb, patience interval) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  ours paytui.outboxes := paytui.check_outbox(its_run);
BEGIN
  PERFORM paytui.add_missing(ours.outbox, rows, jsonb_array_length(rows) - 1, patience);
END
$$;

-- Return why an outbox cannot settle an intent now, or NULL: unknown, settled, alive, or early, while it
-- may still arrive.
CREATE FUNCTION paytui.why_not_settled(ours paytui.outboxes, its_intent text, its_kind text)
RETURNS text
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE
    WHEN NOT EXISTS (SELECT FROM paytui.log WHERE intent = its_intent AND local = 0)
    THEN 'unknown'
    WHEN NOT paytui.is_open(paytui.newest(its_intent)) THEN 'settled'
    WHEN EXISTS (
      SELECT FROM paytui.log JOIN paytui.outboxes USING (outbox)
      WHERE intent = its_intent AND local = 0
        AND (outbox = ours.outbox OR paytui.is_running(seen))
    ) THEN 'alive'
    WHEN its_kind = 'settled as not done' AND EXISTS (
      SELECT FROM paytui.log WHERE intent = its_intent AND arrive_by > clock_timestamp()
    ) THEN 'early'
  END
$$;

-- Add the decisions on colleagues' intents that a failover lost. An outbox that has not handed in all of
-- its rows in this epoch tells them from its own file. While the epoch is closed they are taken as they
-- are, since nothing leaves; once it is open, as `settle` would. What its outbox has ended stands.
CREATE FUNCTION paytui.hand_in_decisions(its_run text, decisions jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  ours paytui.outboxes := paytui.check_outbox(its_run);
  now paytui.epoch := paytui.this_epoch();
  told jsonb;
  its paytui.log;
BEGIN
  PERFORM paytui.lock_log();
  IF now.number = 1 OR ours.replayed >= now.number THEN
    RETURN;
  END IF;
  its.outbox := ours.outbox;
  FOR told IN SELECT value FROM jsonb_array_elements(decisions) LOOP
    its.intent := told ->> 'intent';
    its.kind := told ->> 'kind';
    its.decision := told ->> 'decision';
    its.document := told ->> 'document';
    CONTINUE WHEN its.kind NOT IN ('settled as done', 'settled as not done')
      OR NOT coalesce(paytui.is_open(paytui.newest(its.intent)), true)
      OR now.is_open AND paytui.why_not_settled(ours, its.intent, its.kind) IS NOT NULL
      OR EXISTS (
        SELECT FROM paytui.log
        WHERE intent = its.intent AND local IS NULL AND decision = its.decision
      );
    PERFORM paytui.add_row(its);
  END LOOP;
END
$$;

-- Settle what another outbox's program left when it ended. Return NULL, or why not: closed, or see
-- why_not_settled.
CREATE FUNCTION paytui.settle(
  its_run text, its_intent text, its_kind text, its_decision text, its_document text
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  ours paytui.outboxes := paytui.check_outbox(its_run);
  now paytui.epoch := paytui.this_epoch();
  its paytui.log;
  refusal text;
BEGIN
  PERFORM paytui.lock_log();
  IF NOT now.is_open OR ours.replayed < now.number THEN
    RETURN 'closed';
  ELSIF its_kind NOT IN ('settled as done', 'settled as not done') THEN
    RAISE '% settles nothing', its_kind;
  END IF;
  refusal := paytui.why_not_settled(ours, its_intent, its_kind);
  IF refusal IS NOT NULL THEN
    RETURN refusal;
  END IF;
  its.intent := its_intent;
  its.outbox := ours.outbox;
  its.kind := its_kind;
  its.decision := its_decision;
  its.document := its_document;
  PERFORM paytui.add_row(its);
  RETURN NULL;
END
$$;
