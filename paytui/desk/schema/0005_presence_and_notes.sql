-- Presence of dashboards, and the notes that traders share.
--
-- Presence is a hint for people: nothing rests on it. Its table is unlogged, so that a heartbeat waits
-- for no disk and no standby; after a failover it is empty. Notes are only added. Their numbers have
-- no gaps and are committed in order, so that a reader asks for what is new by a number. The author,
-- the host and the time of a row are not the caller's to choose.

CREATE UNLOGGED TABLE paytui.presence (
  seat bigint PRIMARY KEY,
  client text NOT NULL,
  who name NOT NULL,
  host text NOT NULL,
  since timestamptz NOT NULL,
  seen timestamptz NOT NULL,
  ticket text NOT NULL CHECK (ticket ~ '^[a-z]{0,20}$'),
  recipient text NOT NULL CHECK (char_length(recipient) <= 100),
  wallets text[] NOT NULL CHECK (
    cardinality(wallets) <= 2 AND char_length(array_to_string(wallets, '')) <= 200
  )
);
COMMENT ON TABLE paytui.presence IS
  'The dashboards that are open: ticket, recipient and wallets of what is being filled in, without '
  'amounts and account numbers. A row that was not seen for 45 seconds does not count.';

CREATE TABLE paytui.note_heads (client text PRIMARY KEY, n bigint NOT NULL);

CREATE TABLE paytui.notes (
  client text NOT NULL,
  n bigint NOT NULL,
  id text NOT NULL CHECK (id ~ '^[0-9a-f]{24}$'),
  kind text NOT NULL CHECK (kind IN ('note', 'acknowledged', 'snoozed', 'open', 'over')),
  subject text NOT NULL CHECK (char_length(subject) BETWEEN 1 AND 4000),
  words text NOT NULL CHECK (char_length(words) <= 280 AND words !~ '[[:cntrl:]]'),
  until timestamptz CHECK (until BETWEEN '2000-01-01Z' AND '2200-01-01Z'),
  made_by name NOT NULL,
  host text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (client, n),
  UNIQUE (client, made_by, id),
  CHECK ((kind = 'note') = (words <> '')),
  CHECK ((kind = 'snoozed') = (until IS NOT NULL))
);
COMMENT ON TABLE paytui.notes IS
  'Notes on objects, and what traders did with items that need attention: the newest row of a subject '
  'counts. id: chosen by the program, which may hand the same note in twice. open: it needs attention '
  'again. over: the item was gone, so that nothing before counts if it comes back.';

CREATE INDEX notes_of_subject ON paytui.notes (client, md5(subject), n);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON paytui.notes
FOR EACH STATEMENT EXECUTE FUNCTION paytui.refuse();

-- Tell what a seat is about to do, and return who else is here: the time in milliseconds, the number of
-- the newest note, the seconds for which the first of the colleagues still counts, a fingerprint of
-- them, and these as JSON, unless the caller knows that fingerprint. A seat that has told the same
-- within ten seconds writes nothing.
CREATE FUNCTION paytui.meet(
  its_client text, its_seat bigint, its_ticket text, its_recipient text, its_wallets text[],
  its_known text
) RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
DECLARE
  now timestamptz := paytui.instant();
  its_host text := (
    SELECT left(host, 100) FROM paytui.seats WHERE seat = its_seat AND who = session_user
  );
  oldest timestamptz;
  told text;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  IF its_host IS NOT NULL AND NOT EXISTS (
    SELECT FROM paytui.presence WHERE seat = its_seat AND client = its_client
      AND (ticket, recipient, wallets) = (its_ticket, its_recipient, its_wallets)
      AND seen BETWEEN now - interval '10 seconds' AND now
  ) THEN
    UPDATE paytui.presence SET seen = now WHERE seat = its_seat AND client = its_client
      AND (ticket, recipient, wallets) = (its_ticket, its_recipient, its_wallets)
      AND seen BETWEEN now - interval '45 seconds' AND now;
    IF NOT FOUND THEN
      DELETE FROM paytui.presence
      WHERE seen NOT BETWEEN now - interval '1 day' AND now + interval '1 day';
      INSERT INTO paytui.presence VALUES (
        its_seat, its_client, session_user, its_host, now, now, its_ticket, its_recipient, its_wallets
      ) ON CONFLICT (seat) DO UPDATE SET
        client = its_client, seen = now, ticket = its_ticket, recipient = its_recipient,
        wallets = its_wallets;
      NOTIFY paytui_colleagues;
    END IF;
  END IF;
  SELECT json_agg(json_build_array(
    seat, who, who = session_user, host, floor(extract(epoch FROM since) * 1000)::bigint, ticket,
    recipient, wallets
  ) ORDER BY seat), min(seen) INTO told, oldest FROM paytui.presence
  WHERE client = its_client AND seat <> coalesce(its_seat, 0)
    AND seen BETWEEN now - interval '45 seconds' AND now + interval '5 seconds';
  RETURN ARRAY[
    floor(extract(epoch FROM now) * 1000)::bigint::text,
    coalesce((SELECT n FROM paytui.note_heads WHERE client = its_client), 0)::text,
    coalesce(45 - floor(extract(epoch FROM now - oldest)), 45)::text,
    left(md5(coalesce(told, '')), 12),
    CASE WHEN left(md5(coalesce(told, '')), 12) <> its_known THEN coalesce(told, '[]') END
  ];
END
$$;

-- Tell that a seat is left.
CREATE FUNCTION paytui.leave(its_seat bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  DELETE FROM paytui.presence WHERE seat = its_seat AND who = session_user;
  NOTIFY paytui_colleagues;
END
$$;

-- Add a note, once. `over` is added only if the note that it ends is still the newest of its subject.
CREATE FUNCTION paytui.add_note(
  its_client text, its_seat bigint, its_id text, its_kind text, its_subject text, its_words text,
  its_until timestamptz, its_after bigint
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
BEGIN
  PERFORM paytui.commit_safely();
  INSERT INTO paytui.note_heads VALUES (its_client, 0) ON CONFLICT DO NOTHING;
  PERFORM FROM paytui.note_heads WHERE client = its_client FOR UPDATE;
  IF EXISTS (
    SELECT FROM paytui.notes WHERE client = its_client AND made_by = session_user AND id = its_id
  ) OR its_kind = 'over' AND its_after IS DISTINCT FROM (
    SELECT max(n) FROM paytui.notes
    WHERE client = its_client AND md5(subject) = md5(its_subject) AND subject = its_subject
      AND kind <> 'note'
  ) THEN
    RETURN;
  END IF;
  UPDATE paytui.note_heads SET n = n + 1 WHERE client = its_client;
  INSERT INTO paytui.notes VALUES (
    its_client, (SELECT n FROM paytui.note_heads WHERE client = its_client), its_id, its_kind,
    its_subject, its_words, its_until, session_user,
    coalesce((
      SELECT left(host, 100) FROM paytui.seats WHERE seat = its_seat AND who = session_user
    ), ''),
    paytui.instant()
  );
  NOTIFY paytui_colleagues;
END
$$;
