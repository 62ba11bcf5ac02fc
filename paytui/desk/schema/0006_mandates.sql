-- Mandates: trades above a limit that a colleague lets a trader book, up to an amount and at a rate or
-- better, for a time. A locked rate ends before a colleague has read it.
--
-- A mandate is an intent of its maker that is proposed and approved as any other, and never leaves. Its
-- body is read here, since paytui wrote it. A trade names the mandate that it is within. Its amounts and
-- its rate are those that the program of its maker says, as for limits. It pays no recipient, whom nobody
-- else has seen.

CREATE INDEX charges_of_mandate ON paytui.charges (mandate) WHERE mandate IS NOT NULL;

-- Return the mandate that the document of a proposal holds; NULL if it cannot be read.
CREATE FUNCTION paytui.mandate_in(document text) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  it jsonb;
BEGIN
  it := (document::jsonb ->> 'body')::jsonb;
  RETURN CASE
    WHEN (it ->> 'up_to')::numeric BETWEEN 0 AND 1e30
      AND (it ->> 'rate')::numeric BETWEEN 1e-30 AND 1e30
      AND (it ->> 'seconds')::numeric BETWEEN 1 AND 86400
      AND it ->> 'currency' IN (it ->> 'sell', it ->> 'buy') AND it ->> 'sell' <> it ->> 'buy'
    THEN it
  END;
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END
$$;

-- Return the seconds after which a proposal lapses: a mandate names its own.
CREATE FUNCTION paytui.lapses_after(its paytui.log) RETURNS double precision
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found text := paytui.limits_of(paytui.client_of(its.intent)) ->> 'within';
BEGIN
  IF paytui.entry_of(its.intent) ->> 'action' = 'mandate' THEN
    found := paytui.mandate_in(its.document) ->> 'seconds';
  END IF;
  RETURN coalesce(found::double precision, 0);
END
$$;

CREATE VIEW paytui.mandates AS
SELECT
  intent, client, made_by, host, n, leave_by AS until,
  upper(btrim(it ->> 'sell')) AS sell, upper(btrim(it ->> 'buy')) AS buy,
  upper(btrim(it ->> 'currency')) AS currency,
  (it ->> 'up_to')::numeric AS up_to, (it ->> 'rate')::numeric AS rate,
  coalesce((
    SELECT sum(amount) FROM paytui.charges
    WHERE charges.mandate = log.intent AND charges.currency = upper(btrim(it ->> 'currency'))
      AND charges.trader = log.made_by AND counts
  ), 0) AS used,
  (SELECT count(*) FROM paytui.approvers(
    intent, encode(sha256(convert_to(document::jsonb ->> 'body', 'UTF8')), 'hex')
  )) AS approvals,
  paytui.newest(intent) = 'recorded' AND leave_by > clock_timestamp() AS is_open
FROM paytui.log JOIN paytui.outboxes USING (outbox), LATERAL paytui.mandate_in(document) AS it
WHERE kind = 'proposed' AND it IS NOT NULL AND paytui.entry_of(intent) ->> 'action' = 'mandate';
COMMENT ON VIEW paytui.mandates IS
  'All mandates. used: the amounts of trades of the same trader that left and were not turned down.';

-- Return true if a departure is within the mandate that it names, its own amount included: its row is
-- in the log. Whoever calls it holds log_head, so no other intent departs meanwhile.
CREATE FUNCTION paytui.is_within_mandate(its_intent text, terms jsonb, needs integer) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM paytui.mandates
    WHERE intent = terms ->> 'mandate_id'
      AND client = paytui.client_of(its_intent) AND made_by = session_user
      AND is_open AND approvals >= needs
      AND sell = upper(btrim(terms ->> 'sell_currency'))
      AND buy = upper(btrim(terms ->> 'buy_currency'))
      AND upper(btrim(terms ->> 'currency')) IN (sell, buy)
      AND terms ->> 'recipient_id' IS NULL AND terms ->> 'payment_address_id' IS NULL
      AND (terms ->> 'rate')::numeric BETWEEN rate AND 1e30
      AND used <= up_to
  );
END
$$;
