-- Limits of a desk: what a colleague approves before it leaves, and what leaves in one day.
--
-- Limits are rows of the log that only the owner adds. An intent above them is proposed: its outbox
-- hands in its body, and a trader with another role approves the hash of that. Amounts are those that
-- the program of the trader says who confirmed it; no body is parsed here.

CREATE UNIQUE INDEX one_proposal ON paytui.log (intent) WHERE kind = 'proposed';
CREATE INDEX limits ON paytui.log (n) WHERE kind = 'limits';

CREATE TABLE paytui.charges (
  intent text NOT NULL,
  currency text NOT NULL,
  amount numeric NOT NULL CHECK (amount >= 0 AND amount < 1e30),  -- NaN is greater
  client text NOT NULL,
  trader name NOT NULL,
  recipient text,
  day date NOT NULL,
  counts boolean NOT NULL,
  mandate text,
  PRIMARY KEY (intent, currency)
);
CREATE INDEX charges_of_day ON paytui.charges (day, client, currency);
COMMENT ON TABLE paytui.charges IS
  'The amounts of all departures, on the day of the first. counts: false if it was not executed. '
  'mandate: the one that a trade named.';

-- Limits

CREATE FUNCTION paytui.client_of(its_intent text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT client FROM paytui.log JOIN paytui.outboxes USING (outbox)
  WHERE intent = its_intent AND local = 0
$$;

CREATE FUNCTION paytui.limits_of(its_client text) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT document::jsonb FROM paytui.log JOIN paytui.outboxes USING (outbox)
  WHERE kind = 'limits' AND client = its_client ORDER BY n DESC LIMIT 1
$$;

CREATE FUNCTION paytui.day_of(limits jsonb, at timestamptz) RETURNS date
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT (
    at AT TIME ZONE coalesce(limits ->> 'zone', 'UTC')
    - coalesce(limits ->> 'starts', '00:00')::interval
  )::date
$$;

-- Set the limits of a client; no trader may. The outbox of this row is in use by nobody.
CREATE FUNCTION paytui.set_limits(its_client text, its_document text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  its paytui.log;
BEGIN
  PERFORM paytui.day_of(its_document::jsonb, clock_timestamp());
  IF paytui.limits_of(its_client) = its_document::jsonb THEN
    RETURN;
  END IF;
  INSERT INTO paytui.outboxes (client, identity, file, who, host, path, version, seen)
  VALUES (its_client, 'limits of ' || session_user, '', session_user, '', '', '', to_timestamp(0))
  ON CONFLICT (client, identity) DO UPDATE SET version = '' RETURNING outbox INTO its.outbox;
  its.intent := '';
  its.kind := 'limits';
  its.document := its_document;
  PERFORM paytui.add_row(its);
END
$$;

-- Amounts

-- The fixed amount of an intent and, of a trade at a locked rate, the other side.
CREATE FUNCTION paytui.sides_of(entry jsonb) RETURNS TABLE (currency text, amount numeric)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  WITH terms AS (
    SELECT
      upper(btrim(it ->> 'currency')) AS fixed,
      greatest((it ->> 'amount')::numeric, 0) AS amount,
      upper(btrim(it ->> 'sell_currency')) AS sell,
      upper(btrim(it ->> 'buy_currency')) AS buy,
      nullif((it ->> 'rate')::numeric, 0) AS rate
    FROM (SELECT (entry ->> 'terms')::jsonb) AS said(it)
    WHERE it ->> 'currency' IS NOT NULL AND it ->> 'amount' IS NOT NULL
  )
  SELECT fixed, amount FROM terms
  UNION ALL
  SELECT
    CASE fixed WHEN sell THEN buy ELSE sell END,
    CASE fixed WHEN sell THEN amount * rate ELSE amount / rate END
  FROM terms WHERE rate IS NOT NULL AND sell <> buy
$$;

-- Return the entry of an intent; NULL, which lets nothing leave, if it cannot be read: jsonb takes no
-- NUL, for instance, and an amount may be no number. What happened is handed in nevertheless.
CREATE FUNCTION paytui.entry_of(its_intent text) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  entry jsonb;
BEGIN
  SELECT document::jsonb INTO entry FROM paytui.log WHERE intent = its_intent AND local = 0;
  RETURN CASE WHEN NOT EXISTS (
    SELECT FROM paytui.sides_of(entry)
    WHERE amount < 0 OR NOT amount < 1e30 OR octet_length(currency) > 10
  ) THEN entry END;
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END
$$;

CREATE FUNCTION paytui.needs_approval(entry jsonb, limits jsonb) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM paytui.sides_of(entry)
    WHERE amount > (limits #>> ARRAY['above', currency])::numeric
  )
$$;

-- Return true if a limit of today would be exceeded. Whoever calls it holds log_head, so no other intent
-- departs meanwhile.
CREATE FUNCTION paytui.exceeds(its_intent text, entry jsonb, limits jsonb) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  its_client CONSTANT text := paytui.client_of(its_intent);
  today CONSTANT date := paytui.day_of(limits, clock_timestamp());
  paid CONSTANT text := (entry ->> 'terms')::jsonb ->> 'recipient_id';
BEGIN
  RETURN EXISTS (
    SELECT FROM paytui.sides_of(entry) AS side, LATERAL (
      SELECT
        sum(amount) AS whole,
        sum(amount) FILTER (WHERE trader = session_user) AS of_trader,
        sum(amount) FILTER (WHERE recipient = paid) AS of_recipient
      FROM paytui.charges
      WHERE day = today AND client = its_client AND charges.currency = side.currency
        AND counts AND intent <> its_intent
    ) AS used
    WHERE side.amount + coalesce(whole, 0) > (limits #>> ARRAY['at_most', currency])::numeric
      OR side.amount + coalesce(of_trader, 0) > (limits #>> ARRAY['per_trader', currency])::numeric
      OR paid IS NOT NULL AND side.amount + coalesce(of_recipient, 0)
        > (limits #>> ARRAY['per_recipient', currency])::numeric
  );
END
$$;

-- Count what left, and give back what was not executed. A departure that was only handed in may not have
-- left: the first one that did has the day and the trader.
CREATE FUNCTION paytui.charge() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  entry CONSTANT jsonb := paytui.entry_of(NEW.intent);
  its_client CONSTANT text := paytui.client_of(NEW.intent);
  is_first CONSTANT boolean := NEW.leave_by IS NOT NULL AND NOT EXISTS (
    SELECT FROM paytui.log
    WHERE intent = NEW.intent AND departure < NEW.departure AND leave_by IS NOT NULL
  );
BEGIN
  IF NEW.kind = 'sending' THEN
    INSERT INTO paytui.charges
    SELECT NEW.intent, currency, amount, its_client, NEW.made_by,
      (entry ->> 'terms')::jsonb ->> 'recipient_id',
      paytui.day_of(paytui.limits_of(its_client), NEW.at), true,
      (entry ->> 'terms')::jsonb ->> 'mandate_id'
    FROM paytui.sides_of(entry)
    ON CONFLICT (intent, currency) DO UPDATE SET counts = true,
      day = CASE WHEN is_first THEN excluded.day ELSE charges.day END,
      trader = CASE WHEN is_first THEN excluded.trader ELSE charges.trader END;
  ELSE
    UPDATE paytui.charges
    SET counts = NEW.kind NOT IN ('refused', 'not executed', 'settled as not done')
    WHERE intent = NEW.intent;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER charge AFTER INSERT ON paytui.log FOR EACH ROW
WHEN (NEW.kind IN (
  'sending', 'in doubt', 'accepted', 'found', 'settled as done',
  'refused', 'not executed', 'settled as not done'
)) EXECUTE FUNCTION paytui.charge();

-- Proposals

-- Return the row of an array of rows that is at a place, the first one at 0. The time of a proposal counts
-- from its age, so that a failover which loses its row does not prolong it. What is handed in has its
-- number: only functions that check it add a row without.
CREATE FUNCTION paytui.row_of(
  its_outbox bigint, rows jsonb, place integer, patience interval
) RETURNS paytui.log
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  its paytui.log := jsonb_populate_record(NULL::paytui.log, rows -> place);
BEGIN
  IF its.local IS NULL OR its.kind = 'limits' THEN
    RAISE 'a row of kind % is not handed in', its.kind;
  END IF;
  its.outbox := its_outbox;
  its.leave_by := CASE its.kind WHEN 'proposed' THEN
    clock_timestamp() + make_interval(
      secs => paytui.lapses_after(its) - coalesce((rows -> place ->> 'age')::float8, 0)
    )
  END;
  its.arrive_by := CASE its.kind
    WHEN 'sending' THEN clock_timestamp() + patience + interval '50 seconds'
    WHEN 'in doubt' THEN clock_timestamp() + patience + interval '30 seconds'
  END;
  RETURN its;
END
$$;

-- The traders who approved a body, beside the one who confirmed it.
CREATE FUNCTION paytui.approvers(its_intent text, its_hash text) RETURNS SETOF name
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT DISTINCT made_by FROM paytui.log
  WHERE intent = its_intent AND kind IN ('partly approved', 'approved')
    AND document::jsonb ->> 'body_hash' = its_hash
    AND made_by <> (SELECT made_by FROM paytui.log WHERE intent = its_intent AND local = 0)
$$;

-- Return why limits are against a departure, or NULL: changed, unapproved, expired, outside the
-- mandate that it names, or over. A mandate itself never leaves. A repeat of what was approved and
-- counted is a person's decision. An attempt that was only handed in was neither: its program ended
-- before it asked, or a failover lost the row.
CREATE FUNCTION paytui.objection(its paytui.log, its_hash text) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  entry CONSTANT jsonb := paytui.entry_of(its.intent);
  terms CONSTANT jsonb := (entry ->> 'terms')::jsonb;
  limits CONSTANT jsonb := paytui.limits_of(paytui.client_of(its.intent));
  is_first CONSTANT boolean := NOT EXISTS (
    SELECT FROM paytui.log
    WHERE intent = its.intent AND departure < its.departure AND leave_by IS NOT NULL
  );
BEGIN
  IF entry IS NULL OR its_hash IS DISTINCT FROM entry ->> 'body_hash'
    OR entry ->> 'action' = 'mandate'
  THEN
    RETURN 'changed';
  ELSIF paytui.needs_approval(entry, limits) THEN
    IF terms ->> 'mandate_id' IS NOT NULL THEN
      IF is_first AND NOT paytui.is_within_mandate(its.intent, terms, (limits ->> 'needs')::integer)
      THEN
        RETURN 'outside';
      END IF;
    ELSIF (SELECT count(*) FROM paytui.approvers(its.intent, its_hash)) < (limits ->> 'needs')::integer
    THEN
      RETURN 'unapproved';
    ELSIF is_first AND EXISTS (
      SELECT FROM paytui.log
      WHERE intent = its.intent AND kind = 'proposed' AND leave_by <= clock_timestamp()
    ) THEN
      RETURN 'expired';
    END IF;
  END IF;
  RETURN CASE WHEN is_first AND paytui.exceeds(its.intent, entry, limits) THEN 'over' END;
END
$$;

-- Let an intent leave: the last of its rows is the attempt. Return NULL, or why it must not leave:
-- closed, settled as not done, left, if it may have left before or is another outbox's, or what limits
-- object. An index refuses the same departure twice. It leaves within 20 seconds after this transaction,
-- or never.
CREATE FUNCTION paytui.depart(its_run text, its_epoch bigint, rows jsonb, patience interval)
RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  ours paytui.outboxes := paytui.check_outbox(its_run);
  now paytui.epoch := paytui.this_epoch();
  last CONSTANT integer := jsonb_array_length(rows) - 1;
  its paytui.log;
  objection text;
BEGIN
  IF NOT now.is_open OR ours.replayed < now.number OR its_epoch <> now.number THEN
    RETURN 'closed';
  END IF;
  PERFORM paytui.add_missing(ours.outbox, rows, last - 1, patience);
  its := paytui.row_of(ours.outbox, rows, last, patience);
  IF NOT EXISTS (
    SELECT FROM paytui.log WHERE intent = its.intent AND local = 0 AND outbox = ours.outbox
  ) THEN
    RETURN 'left';
  ELSIF NOT paytui.is_open(paytui.newest(its.intent)) THEN
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
    objection := paytui.objection(its, rows -> last ->> 'body_hash');
    IF objection IS NOT NULL THEN
      RAISE assert_failure;  -- which takes the row back
    END IF;
  EXCEPTION
    WHEN unique_violation THEN
      RETURN 'left';
    WHEN assert_failure THEN
      RETURN objection;
  END;
  RETURN NULL;
END
$$;

-- Return why a colleague cannot decide on a proposal now, or NULL: closed, settled, or left.
CREATE FUNCTION paytui.why_no_proposal(ours paytui.outboxes, its_intent text) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  now paytui.epoch := paytui.this_epoch();
BEGIN
  RETURN CASE
    WHEN NOT now.is_open OR ours.replayed < now.number THEN 'closed'
    WHEN EXISTS (SELECT FROM paytui.log WHERE intent = its_intent AND kind = 'sending') THEN 'left'
    WHEN NOT EXISTS (SELECT FROM paytui.log WHERE intent = its_intent AND kind = 'proposed')
      OR paytui.newest(its_intent) NOT IN ('recorded', 'goes to another path')
    THEN 'settled'
  END;
END
$$;

-- Approve the body of a colleague's proposal by its hash. Return NULL, or why not: see
-- why_no_proposal, own, changed, or expired.
CREATE FUNCTION paytui.approve(
  its_run text, its_intent text, its_hash text, its_document text
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  ours paytui.outboxes := paytui.check_outbox(its_run);
  proposal paytui.log;
  entry jsonb;
  limits jsonb;
  its paytui.log;
  refusal text;
BEGIN
  PERFORM paytui.lock_log();
  refusal := paytui.why_no_proposal(ours, its_intent);
  IF refusal IS NOT NULL THEN
    RETURN refusal;
  END IF;
  SELECT * INTO proposal FROM paytui.log WHERE intent = its_intent AND kind = 'proposed';
  entry := paytui.entry_of(its_intent);
  IF proposal.made_by = session_user THEN
    RETURN 'own';
  ELSIF its_hash IS DISTINCT FROM entry ->> 'body_hash' OR its_hash IS DISTINCT FROM encode(
    sha256(convert_to(proposal.document::jsonb ->> 'body', 'UTF8')), 'hex'
  ) THEN
    RETURN 'changed';
  ELSIF proposal.leave_by <= clock_timestamp() THEN
    RETURN 'expired';
  END IF;
  its.intent := its_intent;
  its.outbox := ours.outbox;
  limits := paytui.limits_of(paytui.client_of(its_intent));
  its.kind := CASE WHEN (
    SELECT count(*) FROM (
      SELECT paytui.approvers(its_intent, its_hash) UNION SELECT session_user
    ) AS them
  ) < (limits ->> 'needs')::integer THEN 'partly approved' ELSE 'approved' END;
  its.document := (
    its_document::jsonb || jsonb_build_object('kind', its.kind, 'body_hash', its_hash)
  )::text;
  PERFORM paytui.add_row(its);
  RETURN NULL;
END
$$;

-- Refuse a colleague's proposal, for good. Return NULL, or why not: see why_no_proposal.
CREATE FUNCTION paytui.refuse_proposal(
  its_run text, its_intent text, its_decision text, its_document text
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  ours paytui.outboxes := paytui.check_outbox(its_run);
  its paytui.log;
  refusal text;
BEGIN
  PERFORM paytui.lock_log();
  refusal := paytui.why_no_proposal(ours, its_intent);
  IF refusal IS NULL THEN
    its.intent := its_intent;
    its.outbox := ours.outbox;
    its.kind := 'settled as not done';
    its.decision := its_decision;
    its.document := its_document;
    PERFORM paytui.add_row(its);
  END IF;
  RETURN refusal;
END
$$;
