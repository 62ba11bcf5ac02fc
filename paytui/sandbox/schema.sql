-- The tables beside those of objects, which `resources.py` declares. Columns that go over the wire
-- bear the wire's names. Amounts are exact decimal text, times ISO 8601 text in UTC with
-- milliseconds, so that text order is time order. "seq" is the order of creation.

PRAGMA user_version = 2;

CREATE TABLE clock (offsetSeconds REAL NOT NULL, epoch TEXT NOT NULL) STRICT;
CREATE TABLE counter (value INTEGER NOT NULL) STRICT;
INSERT INTO counter VALUES (0);

CREATE TABLE tokens (
    seq INTEGER PRIMARY KEY,
    accessToken TEXT NOT NULL UNIQUE,
    clientId TEXT NOT NULL,
    expiresAt TEXT NOT NULL
) STRICT;
CREATE INDEX tokens_expiry ON tokens (expiresAt);

CREATE TABLE idempotency (
    clientId TEXT NOT NULL,
    operation TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    status INTEGER NOT NULL,
    body TEXT NOT NULL,
    createdAt TEXT NOT NULL,
    PRIMARY KEY (clientId, operation, key)
) STRICT;
CREATE INDEX idempotency_created ON idempotency (createdAt);

-- The ledger: entries of one posting sum to zero in each currency. A pot of a wallet is available,
-- reserved or pending; the service's own (no wallet) are bank, exchange and rounding.
CREATE TABLE entries (
    seq INTEGER PRIMARY KEY,
    subject TEXT NOT NULL,
    walletId TEXT,
    pot TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;

-- What happens by itself, and when.
CREATE TABLE due (
    seq INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL
) STRICT;
CREATE INDEX due_at ON due (at, seq);

-- Events on their way: written with what they tell of, so that a restart sends what was not sent.
-- Without a nextAt an event has been delivered or given up.
CREATE TABLE webhooks (
    seq INTEGER PRIMARY KEY,
    eventId TEXT NOT NULL UNIQUE,
    eventType TEXT NOT NULL,
    body TEXT NOT NULL,
    createdAt TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    nextAt TEXT,
    deliveredAt TEXT
) STRICT;
CREATE INDEX webhooks_created ON webhooks (createdAt);
CREATE INDEX webhooks_due ON webhooks (nextAt) WHERE nextAt IS NOT NULL;

-- How often each table of objects was changed: what entity tags are made of. Triggers count.
CREATE TABLE versions (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;

-- Indexes of the tables of objects.
CREATE INDEX wallets_account ON wallets (accountId);
CREATE INDEX payin_addresses_wallet ON payin_addresses (walletId);
CREATE INDEX payins_wallet ON payins (walletId);
CREATE INDEX rate_sheets_expiry ON rate_sheets (expiresAt);
CREATE INDEX trades_waiting ON trades (sellWalletId) WHERE status = 'awaiting_funds';
CREATE INDEX trades_account ON trades (accountId);
CREATE INDEX recipients_account ON recipients (accountId);
CREATE INDEX payment_addresses_recipient ON payment_addresses (recipientId);
CREATE INDEX payments_account ON payments (accountId);
CREATE INDEX payments_source ON payments (sourceWalletId);
CREATE INDEX payments_destination ON payments (destinationWalletId);
CREATE INDEX payments_status ON payments (status);
CREATE INDEX payments_updated ON payments (updatedAt);
