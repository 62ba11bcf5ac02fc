-- Columns that go over the wire bear the wire's names. Amounts are exact decimal text, times ISO 8601
-- text in UTC with milliseconds, so that text order is time order. "seq" is the order of creation.

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

CREATE TABLE accounts (
    seq INTEGER PRIMARY KEY,
    accountId TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    displayName TEXT NOT NULL,
    request TEXT NOT NULL,
    createdAt TEXT NOT NULL
) STRICT;

CREATE TABLE wallets (
    seq INTEGER PRIMARY KEY,
    walletId TEXT NOT NULL UNIQUE,
    accountId TEXT NOT NULL,
    currency TEXT NOT NULL,
    walletName TEXT,
    walletDescription TEXT,
    status TEXT NOT NULL,
    availableBalance TEXT NOT NULL CHECK (availableBalance NOT LIKE '-%'),
    reservedBalance TEXT NOT NULL CHECK (reservedBalance NOT LIKE '-%'),
    pendingBalance TEXT NOT NULL CHECK (pendingBalance NOT LIKE '-%'),
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL
) STRICT;
CREATE INDEX wallets_account ON wallets (accountId);

CREATE TABLE payin_addresses (
    seq INTEGER PRIMARY KEY,
    payInAddressId TEXT NOT NULL UNIQUE,
    walletId TEXT NOT NULL,
    payInAddressType TEXT NOT NULL,
    bsb TEXT,
    bic TEXT,
    accountNumber TEXT NOT NULL,
    bankName TEXT NOT NULL,
    country TEXT NOT NULL,
    nppEnabled TEXT NOT NULL,
    createdAt TEXT NOT NULL
) STRICT;
CREATE INDEX payin_addresses_wallet ON payin_addresses (walletId);

CREATE TABLE payins (
    seq INTEGER PRIMARY KEY,
    payInTransactionId TEXT NOT NULL UNIQUE,
    walletId TEXT NOT NULL,
    payInAddressId TEXT NOT NULL,
    amount TEXT NOT NULL,
    currency TEXT NOT NULL,
    status TEXT NOT NULL,
    senderName TEXT,
    reference TEXT,
    createdAt TEXT NOT NULL,
    creditedAt TEXT
) STRICT;
CREATE INDEX payins_wallet ON payins (walletId);

CREATE TABLE rate_sheets (
    seq INTEGER PRIMARY KEY,
    rateSheetId TEXT NOT NULL UNIQUE,
    clientId TEXT NOT NULL,
    createdAt TEXT NOT NULL,
    expiresAt TEXT NOT NULL,
    rates TEXT NOT NULL,
    unavailable TEXT NOT NULL
) STRICT;
CREATE INDEX rate_sheets_expiry ON rate_sheets (expiresAt);

CREATE TABLE trades (
    seq INTEGER PRIMARY KEY,
    tradeTransactionId TEXT NOT NULL UNIQUE,
    accountId TEXT NOT NULL,
    sellCurrency TEXT NOT NULL,
    buyCurrency TEXT NOT NULL,
    sellAmount TEXT NOT NULL,
    buyAmount TEXT NOT NULL,
    dealtSide TEXT NOT NULL,
    rate TEXT NOT NULL,
    rateSheetId TEXT,
    sellWalletId TEXT NOT NULL,
    buyWalletId TEXT,
    recipientId TEXT,
    paymentAddressId TEXT,
    status TEXT NOT NULL,
    reference TEXT,
    createdAt TEXT NOT NULL,
    exchangedAt TEXT
) STRICT;
CREATE INDEX trades_waiting ON trades (sellWalletId) WHERE status = 'awaiting_funds';
CREATE INDEX trades_account ON trades (accountId);

CREATE TABLE recipients (
    seq INTEGER PRIMARY KEY,
    recipientId TEXT NOT NULL UNIQUE,
    accountId TEXT NOT NULL,
    recipientType TEXT NOT NULL,
    firstName TEXT,
    lastName TEXT,
    companyName TEXT,
    email TEXT,
    country TEXT,
    status TEXT NOT NULL,
    createdAt TEXT NOT NULL
) STRICT;
CREATE INDEX recipients_account ON recipients (accountId);

CREATE TABLE payment_addresses (
    seq INTEGER PRIMARY KEY,
    paymentAddressId TEXT NOT NULL UNIQUE,
    recipientId TEXT NOT NULL,
    currency TEXT NOT NULL,
    country TEXT,
    accountType TEXT NOT NULL,
    accountName TEXT,
    accountNumber TEXT,
    iban TEXT,
    bic TEXT,
    routingCode TEXT,
    status TEXT NOT NULL,
    bankInformation TEXT NOT NULL,
    createdAt TEXT NOT NULL
) STRICT;
CREATE INDEX payment_addresses_recipient ON payment_addresses (recipientId);

CREATE TABLE payments (
    seq INTEGER PRIMARY KEY,
    paymentTransactionId TEXT NOT NULL UNIQUE,
    paymentType TEXT NOT NULL,
    accountId TEXT NOT NULL,
    sourceWalletId TEXT NOT NULL,
    destinationWalletId TEXT,
    recipientId TEXT,
    paymentAddressId TEXT,
    amount TEXT NOT NULL,
    currency TEXT NOT NULL,
    status TEXT NOT NULL,
    reference TEXT,
    endToEndId TEXT,
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL,
    failureReason TEXT
) STRICT;
CREATE INDEX payments_account ON payments (accountId);
CREATE INDEX payments_source ON payments (sourceWalletId);
CREATE INDEX payments_destination ON payments (destinationWalletId);
CREATE INDEX payments_status ON payments (status);
CREATE INDEX payments_updated ON payments (updatedAt);

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

-- How often each table was changed: what entity tags are made of. Triggers count, made beside this.
CREATE TABLE versions (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
INSERT INTO versions VALUES
    ('accounts', 0), ('wallets', 0), ('payin_addresses', 0), ('payins', 0), ('rate_sheets', 0),
    ('trades', 0), ('recipients', 0), ('payment_addresses', 0), ('payments', 0);
