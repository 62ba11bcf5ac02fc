-- Lists that one seat reads for all: the lease of each kind, and what its reader publishes.
--
-- The reader of a kind holds its lease, which each of its looks prolongs. A new reader has a higher
-- fence, and what an earlier one publishes then is refused. All ages are by this server's clock.

-- The time of leases and ages. Tests replace it by a time of their own.
CREATE FUNCTION paytui.instant() RETURNS timestamptz
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$ SELECT clock_timestamp() $$;

-- Return the time of a read by its seconds, not later than now.
CREATE FUNCTION paytui.time_of_read(seconds double precision) RETURNS timestamptz
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF seconds BETWEEN 0 AND 1e11 THEN  -- neither infinite nor NaN
    RETURN least(to_timestamp(seconds), paytui.instant());
  END IF;
  RAISE 'a read at no time: %', seconds;
END
$$;

CREATE SEQUENCE paytui.reader_fences;

CREATE TABLE paytui.read_stamps (client text PRIMARY KEY, stamp bigint NOT NULL);
COMMENT ON TABLE paytui.read_stamps IS
  'stamp: counts changes of readers. Each change locks its row, so that stamps are committed in order.';

CREATE TABLE paytui.readers (
  client text NOT NULL,
  kind text NOT NULL CHECK (kind ~ '^[a-z_]{1,40}$'),
  fence bigint NOT NULL,
  seat bigint,
  who name,
  until timestamptz,
  number bigint NOT NULL DEFAULT 0,
  read_at timestamptz,
  asked bigint NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0,
  is_silent boolean NOT NULL DEFAULT false,
  stamp bigint NOT NULL,
  PRIMARY KEY (client, kind)
);
COMMENT ON TABLE paytui.readers IS
  'fence: the number of the lease. until: its end; without a seat, nobody takes it before. number: of '
  'the newest publication under it. read_at: no older is what the reader knows; NULL before its first '
  'read. asked: counts requests of other seats to read soon. tries: leases in a row without a read. '
  'is_silent: the last of them ended because no answer came.';

CREATE TABLE paytui.publications (
  client text NOT NULL,
  kind text NOT NULL,
  fence bigint NOT NULL,
  number bigint NOT NULL,
  at timestamptz NOT NULL,
  read_at timestamptz NOT NULL,
  has_health boolean NOT NULL,
  sealed bytea NOT NULL CHECK (octet_length(sealed) <= 8000000),
  PRIMARY KEY (client, kind, fence, number)
);
COMMENT ON TABLE paytui.publications IS
  'sealed: changed rows and the health of a list, encrypted under a key that every seat derives from '
  'the client secret. Those of the last ten minutes are kept, and the newest with health.';

CREATE FUNCTION paytui.next_stamp(its_client text) RETURNS bigint
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
  INSERT INTO paytui.read_stamps AS s VALUES (its_client, 1)
  ON CONFLICT (client) DO UPDATE SET stamp = s.stamp + 1 RETURNING stamp
$$;

-- Return True while a lease holds. An end that this clock cannot have set yet does not count.
CREATE FUNCTION paytui.holds(until timestamptz) RETURNS boolean
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
  SELECT coalesce(until BETWEEN paytui.instant() AND paytui.instant() + interval '1 minute', false)
$$;

-- Prolong the leases of a seat, note its reads that changed nothing (kind,fence,time and a blank after
-- each), and take the leases that it wants and nobody holds. Return words, as each byte counts that is
-- sent every two seconds: the time in milliseconds, the newest stamp, the generation of the token, the
-- kinds that nobody holds, and the milliseconds until another seat's lease ends unless it is prolonged;
-- then the readers that changed after a stamp: kind, fence, 1 if it is this seat, number, milliseconds
-- since it read, how often it was asked, and how many leases in a row have ended without an answer.
CREATE FUNCTION paytui.take_turn(
  its_client text, its_seat bigint, since bigint, reads text, wants text[]
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  lease CONSTANT interval := '5 seconds';
  is_known boolean := EXISTS (
    SELECT FROM paytui.seats WHERE seat = its_seat AND who = session_user
  );
  newest bigint;
  now_ms bigint;
  said text;
BEGIN
  IF is_known AND (reads <> '' OR cardinality(wants) > 0) THEN
    newest := paytui.next_stamp(its_client);
  END IF;
  UPDATE paytui.readers SET until = paytui.instant() + lease
  WHERE client = its_client AND seat = its_seat AND who = session_user AND is_known;
  IF is_known AND reads <> '' THEN
    UPDATE paytui.readers SET
      read_at = paytui.time_of_read(split_part(told, ',', 3)::float8),
      stamp = newest
    FROM unnest(string_to_array(rtrim(reads), ' ')) AS told
    WHERE client = its_client AND kind = split_part(told, ',', 1)
      AND fence = split_part(told, ',', 2)::bigint AND who = session_user;
  END IF;
  IF is_known AND cardinality(wants) > 0 THEN
    INSERT INTO paytui.readers (client, kind, fence, stamp)
    SELECT its_client, kind, 0, newest FROM unnest(wants) AS kind ON CONFLICT DO NOTHING;
    UPDATE paytui.readers SET
      fence = nextval('paytui.reader_fences'),
      seat = its_seat, who = session_user, until = paytui.instant() + lease,
      tries = CASE WHEN read_at IS NULL THEN tries ELSE 0 END,
      number = 0, read_at = NULL, stamp = newest
    WHERE client = its_client AND kind = ANY (wants) AND NOT paytui.holds(until);
    IF FOUND THEN
      NOTIFY paytui_rows;
    END IF;
  END IF;
  now_ms := floor(extract(epoch FROM paytui.instant()) * 1000);
  SELECT concat_ws(
    ' ',
    now_ms,
    coalesce(max(stamp), 0),
    coalesce((SELECT generation FROM paytui.tokens WHERE client = its_client), 0),
    coalesce(string_agg(kind, ',') FILTER (WHERE NOT paytui.holds(until)), '-'),
    coalesce(
      ceil(extract(epoch FROM min(until) FILTER (
        WHERE paytui.holds(until) AND seat IS DISTINCT FROM its_seat
      )) * 1000) - now_ms,
      60000
    ),
    string_agg(
      concat(
        kind, ',', fence, ',', (seat = its_seat AND who = session_user)::int, ',', number, ',',
        now_ms - floor(extract(epoch FROM read_at) * 1000), ',', asked, ',',
        CASE WHEN read_at IS NULL AND is_silent THEN tries ELSE 0 END
      ), ' '
    ) FILTER (WHERE stamp > since)
  ) INTO said FROM paytui.readers WHERE client = its_client;
  RETURN said;
END
$$;

-- Publish what a read at a time of this clock has changed. False: there is a new reader. The same
-- number may be published again, when its first answer was lost.
CREATE FUNCTION paytui.publish(
  its_client text, its_kind text, its_fence bigint, its_number bigint, was_read double precision,
  its_health boolean, its_sealed bytea
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  newest bigint := paytui.next_stamp(its_client);
  age timestamptz := paytui.time_of_read(was_read);
BEGIN
  UPDATE paytui.readers SET number = its_number, read_at = age, stamp = newest
  WHERE client = its_client AND kind = its_kind AND fence = its_fence AND who = session_user
    AND its_number BETWEEN number AND number + 1;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO paytui.publications
  VALUES (its_client, its_kind, its_fence, its_number, paytui.instant(), age, its_health, its_sealed)
  ON CONFLICT DO NOTHING;
  DELETE FROM paytui.publications
  WHERE client = its_client AND kind = its_kind AND (
    fence <> its_fence OR at < paytui.instant() - interval '10 minutes'
  ) AND NOT (fence = its_fence AND number = (
    SELECT max(number) FROM paytui.publications
    WHERE client = its_client AND kind = its_kind AND fence = its_fence AND has_health
  ));
  NOTIFY paytui_rows;
  RETURN true;
END
$$;

-- Ask the reader of a kind to read it soon.
CREATE FUNCTION paytui.ask_reader(its_client text, its_kind text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  newest bigint := paytui.next_stamp(its_client);
BEGIN
  UPDATE paytui.readers SET asked = asked + 1, stamp = newest
  WHERE client = its_client AND kind = its_kind;
  NOTIFY paytui_rows;
END
$$;

-- Give up the leases of some kinds; of silent ones because no answer came. After the second lease without
-- a read nobody takes it for a second, then twice as long each time, up to half a minute: all seats together
-- try as often as one that fails.
CREATE FUNCTION paytui.release(
  its_client text, its_seat bigint, kinds text[], silent text[]
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  newest bigint := paytui.next_stamp(its_client);
BEGIN
  UPDATE paytui.readers SET
    seat = NULL, who = NULL, stamp = newest, is_silent = kind = ANY (silent),
    tries = CASE WHEN read_at IS NULL THEN least(tries + 1, 5) ELSE 0 END,
    until = CASE WHEN read_at IS NULL THEN
      paytui.instant() + least(2 ^ tries - 1, 30) * interval '1 second'
    END
  WHERE client = its_client AND seat = its_seat AND who = session_user AND kind = ANY (kinds);
  NOTIFY paytui_rows;
END
$$;
