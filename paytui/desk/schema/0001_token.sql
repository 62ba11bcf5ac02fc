-- The token of a client id, shared by all seats of a desk, and the seats.
--
-- Traders call the functions. They own nothing, and change no table by themselves. All ages are by
-- this server's clock_timestamp(). pg_temp is named last in search_path: otherwise a trader's temporary
-- type would come before PostgreSQL's own, and its checks would run with the owner's rights. A program
-- gives a call up after five seconds, and the server does not notice: lock_timeout ends it.

CREATE TABLE paytui.seats (
  seat bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  who name NOT NULL,
  run text NOT NULL CHECK (octet_length(run) <= 100),
  host text NOT NULL,
  pid integer NOT NULL,
  version text NOT NULL,
  entered timestamptz NOT NULL,
  seen timestamptz NOT NULL,
  UNIQUE (who, run)
);
COMMENT ON TABLE paytui.seats IS
  'run: a random text of the program. A database that was restored gives the same numbers again.';

CREATE SEQUENCE paytui.flights;

CREATE TABLE paytui.tokens (
  client text PRIMARY KEY,
  generation bigint NOT NULL,
  sealed bytea,
  asked_at timestamptz,
  life double precision,
  flight bigint,
  flight_seat bigint,
  flight_who name,
  flight_at timestamptz,
  flight_until timestamptz,
  requests timestamptz[] NOT NULL
);
COMMENT ON TABLE paytui.tokens IS
  'sealed: the token, encrypted under a key that every seat derives from the client secret. '
  'flight: the one request for a new token that may be given, with its seat, begin and end. '
  'asked_at: the begin of the flight that brought the token, so that it is never taken for younger.';

-- Return the seat of a program, which enters the desk unless it has. Seats of single commands add up: those
-- not seen for a month are forgotten. One enters at a time: a commit that waits for a standby would
-- otherwise be followed by one for each new try.
CREATE FUNCTION paytui.enter(its_run text, its_host text, its_pid integer, its_version text)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  its_seat bigint := (SELECT seat FROM paytui.seats WHERE who = session_user AND run = its_run);
BEGIN
  IF its_seat IS NULL THEN
    PERFORM pg_advisory_xact_lock(20261127);
    DELETE FROM paytui.seats WHERE seen < clock_timestamp() - interval '30 days';
    INSERT INTO paytui.seats (who, run, host, pid, version, entered, seen) VALUES (
      session_user, its_run, its_host, its_pid, its_version, clock_timestamp(), clock_timestamp()
    ) RETURNING seat INTO its_seat;
  END IF;
  RETURN its_seat;
END
$$;

-- Note that a program is there; return its seat, or NULL if this database does not know it.
CREATE FUNCTION paytui.stay(its_run text) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
  UPDATE paytui.seats SET seen = clock_timestamp() WHERE who = session_user AND run = its_run
  RETURNING seat
$$;

-- Take the right to request a token, after the generation that the seat has seen. NULL: another
-- seat has it, there is a newer generation, or six tokens were requested within a minute. Times that
-- this clock cannot have written yet do not count: it was set back, or another server's was ahead.
CREATE FUNCTION paytui.take_flight(
  its_client text, its_seat bigint, seen bigint, lease interval
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  held paytui.tokens;
  recent timestamptz[];
  longest CONSTANT interval := '1 minute';
BEGIN
  INSERT INTO paytui.tokens (client, generation, requests)
  VALUES (its_client, 0, '{}') ON CONFLICT DO NOTHING;
  SELECT * INTO held FROM paytui.tokens WHERE client = its_client FOR UPDATE;
  recent := ARRAY(
    SELECT at FROM unnest(held.requests) AS at
    WHERE at BETWEEN clock_timestamp() - interval '1 minute' AND clock_timestamp()
  );
  IF held.generation <> seen OR cardinality(recent) >= 6
    OR held.flight_until BETWEEN clock_timestamp() AND clock_timestamp() + longest
  THEN
    RETURN NULL;
  END IF;
  UPDATE paytui.tokens SET
    flight = nextval('paytui.flights'),
    flight_seat = (SELECT seat FROM paytui.seats WHERE seat = its_seat AND who = session_user),
    flight_who = session_user,
    flight_at = clock_timestamp(),
    flight_until = clock_timestamp() + least(lease, longest),
    requests = recent || clock_timestamp()
  WHERE client = its_client RETURNING flight INTO held.flight;
  RETURN held.flight;
END
$$;

-- Prolong a flight, whose holder waits for the service.
CREATE FUNCTION paytui.hold_flight(its_client text, its_flight bigint, lease interval)
RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
  WITH held AS (
    UPDATE paytui.tokens
    SET flight_until = clock_timestamp() + least(lease, interval '1 minute')
    WHERE client = its_client AND flight = its_flight AND flight_who = session_user RETURNING 1
  ) SELECT EXISTS (SELECT FROM held)
$$;

-- Publish the token of a flight. NULL: it was overtaken, and its token may have ended the other's.
CREATE FUNCTION paytui.give_token(
  its_client text, its_flight bigint, its_sealed bytea, its_life double precision
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  given bigint;
BEGIN
  UPDATE paytui.tokens SET
    generation = generation + 1,
    sealed = its_sealed,
    asked_at = flight_at,
    life = its_life,
    flight = NULL, flight_seat = NULL, flight_who = NULL, flight_at = NULL, flight_until = NULL
  WHERE client = its_client AND flight = its_flight AND flight_who = session_user
  RETURNING generation INTO given;
  IF given IS NOT NULL THEN
    NOTIFY paytui_token;
  END IF;
  RETURN given;
END
$$;

-- End a flight without a token. A request that never left does not count.
CREATE FUNCTION paytui.drop_flight(its_client text, its_flight bigint, has_left boolean)
RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
  UPDATE paytui.tokens SET
    requests = CASE WHEN has_left THEN requests ELSE requests[:cardinality(requests) - 1] END,
    flight = NULL, flight_seat = NULL, flight_who = NULL, flight_at = NULL, flight_until = NULL
  WHERE client = its_client AND flight = its_flight AND flight_who = session_user
$$;
