package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"cove/internal/fault"
)

// migrations[i] brings the database from version i to i+1. A released migration never changes; new ones are appended.
var migrations = []string{
	`CREATE TABLE profiles (
		id          INTEGER PRIMARY KEY AUTOINCREMENT,
		name        TEXT NOT NULL,
		folder      TEXT NOT NULL,
		notes       TEXT NOT NULL,
		tags        TEXT NOT NULL, -- JSON
		start_pages TEXT NOT NULL, -- JSON
		width       INTEGER NOT NULL,
		height      INTEGER NOT NULL,
		locale      TEXT NOT NULL,
		timezone    TEXT NOT NULL,
		proxy       TEXT NOT NULL, -- JSON
		args        TEXT NOT NULL, -- JSON
		browser     TEXT NOT NULL,
		temporary   INTEGER NOT NULL,
		created_at  INTEGER NOT NULL,
		updated_at  INTEGER NOT NULL,
		opened_at   INTEGER NOT NULL,
		trashed_at  INTEGER NOT NULL,
		search      TEXT NOT NULL, -- name and tags in lower case
		search_more TEXT NOT NULL  -- folder and notes in lower case
	) STRICT;
	CREATE INDEX profiles_name ON profiles (name COLLATE NOCASE, id);
	CREATE INDEX profiles_folder ON profiles (folder COLLATE NOCASE, id);
	CREATE TABLE accounts (
		email      TEXT PRIMARY KEY,
		plan       TEXT NOT NULL,
		owner      INTEGER NOT NULL,
		password   TEXT NOT NULL, -- argon2id, '' for none
		created_at INTEGER NOT NULL
	) STRICT;
	CREATE TABLE tokens (
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT NOT NULL,
		email      TEXT NOT NULL REFERENCES accounts (email),
		hash       TEXT NOT NULL UNIQUE,
		created_at INTEGER NOT NULL,
		used_at    INTEGER NOT NULL
	) STRICT;
	CREATE TABLE login (
		one   INTEGER PRIMARY KEY CHECK (one = 1),
		email TEXT NOT NULL
	) STRICT;
	CREATE TABLE settings (
		key   TEXT PRIMARY KEY,
		value TEXT NOT NULL
	) STRICT;`,
	`ALTER TABLE profiles ADD COLUMN policy TEXT NOT NULL DEFAULT '{}'; -- JSON
	CREATE TABLE pin (
		one      INTEGER PRIMARY KEY CHECK (one = 1),
		hash     TEXT NOT NULL,    -- argon2id
		failures INTEGER NOT NULL, -- wrong ones in a row
		last_at  INTEGER NOT NULL  -- when the last of them was tried
	) STRICT;`,
	`CREATE TABLE folders (
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT NOT NULL,
		search     TEXT NOT NULL, -- name in lower case
		position   INTEGER NOT NULL,
		created_at INTEGER NOT NULL
	) STRICT;
	CREATE UNIQUE INDEX folders_name ON folders (name COLLATE NOCASE);
	INSERT INTO folders (name, search, position, created_at)
		SELECT folder, substr(search_more, 1, max(instr(search_more, char(10)) - 1, 0)), 0, min(created_at)
		FROM profiles WHERE folder <> '' GROUP BY folder COLLATE NOCASE ORDER BY folder COLLATE NOCASE;
	UPDATE folders SET position = id;
	ALTER TABLE profiles ADD COLUMN folder_id INTEGER REFERENCES folders (id);
	UPDATE profiles SET folder_id = (SELECT id FROM folders WHERE name = profiles.folder COLLATE NOCASE),
		search_more = substr(search_more, instr(search_more, char(10)) + 1); -- notes in lower case
	DROP INDEX profiles_folder;
	ALTER TABLE profiles DROP COLUMN folder;
	CREATE INDEX profiles_folder ON profiles (folder_id, id);

	CREATE TABLE statuses (
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT NOT NULL,
		color      TEXT NOT NULL,
		created_at INTEGER NOT NULL
	) STRICT;
	CREATE UNIQUE INDEX statuses_name ON statuses (name COLLATE NOCASE);
	ALTER TABLE profiles ADD COLUMN status_id INTEGER REFERENCES statuses (id);
	CREATE INDEX profiles_status ON profiles (status_id, id);

	CREATE TABLE proxies (
		id            INTEGER PRIMARY KEY AUTOINCREMENT,
		name          TEXT NOT NULL,
		type          TEXT NOT NULL,
		host          TEXT NOT NULL,
		port          INTEGER NOT NULL,
		login         TEXT NOT NULL,
		password      TEXT NOT NULL,
		change_ip_url TEXT NOT NULL,
		saved         INTEGER NOT NULL,
		last_check    TEXT NOT NULL, -- JSON
		created_at    INTEGER NOT NULL,
		updated_at    INTEGER NOT NULL,
		search        TEXT NOT NULL -- name, host and login in lower case
	) STRICT;
	CREATE INDEX proxies_host ON proxies (host, port);
	INSERT INTO proxies (name, type, host, port, login, password, change_ip_url, saved, last_check, created_at,
			updated_at, search)
		SELECT '', proxy ->> 'type', proxy ->> 'host', proxy ->> 'port', coalesce(proxy ->> 'login', ''),
			coalesce(proxy ->> 'password', ''), '', 0, '{}', min(created_at), min(created_at),
			char(10) || lower(proxy ->> 'host') || char(10) || lower(coalesce(proxy ->> 'login', ''))
		FROM profiles WHERE coalesce(proxy ->> 'type', '') <> '' GROUP BY 2, 3, 4, 5, 6 ORDER BY min(id);
	ALTER TABLE profiles ADD COLUMN proxy_id INTEGER REFERENCES proxies (id);
	UPDATE profiles SET proxy_id = (SELECT id FROM proxies WHERE type = proxy ->> 'type' AND host = proxy ->> 'host'
			AND port = proxy ->> 'port' AND login = coalesce(proxy ->> 'login', '')
			AND password = coalesce(proxy ->> 'password', ''))
		WHERE coalesce(proxy ->> 'type', '') <> '';
	ALTER TABLE profiles DROP COLUMN proxy;
	CREATE INDEX profiles_proxy ON profiles (proxy_id, id);`,
	`CREATE TABLE extensions (
		id               INTEGER PRIMARY KEY AUTOINCREMENT,
		browser_id       TEXT NOT NULL UNIQUE,
		key              TEXT NOT NULL,
		name             TEXT NOT NULL,
		title            TEXT NOT NULL, -- the manifest's own name
		version          TEXT NOT NULL,
		description      TEXT NOT NULL,
		manifest_version INTEGER NOT NULL,
		permissions      TEXT NOT NULL, -- JSON
		hosts            TEXT NOT NULL, -- JSON
		background       INTEGER NOT NULL,
		content          TEXT NOT NULL, -- hash of the files
		size             INTEGER NOT NULL,
		created_at       INTEGER NOT NULL,
		updated_at       INTEGER NOT NULL
	) STRICT;
	CREATE TABLE profile_extensions (
		profile_id   INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
		extension_id INTEGER NOT NULL REFERENCES extensions (id) ON DELETE CASCADE,
		enabled      INTEGER NOT NULL,
		PRIMARY KEY (profile_id, extension_id)
	) STRICT, WITHOUT ROWID;
	CREATE INDEX profile_extensions_extension ON profile_extensions (extension_id);`,
	`ALTER TABLE folders ADD COLUMN remark TEXT NOT NULL DEFAULT '';`,
	`UPDATE proxies SET host = lower(host) WHERE host <> lower(host);`,
	`ALTER TABLE folders ADD COLUMN color TEXT NOT NULL DEFAULT '';
	ALTER TABLE folders ADD COLUMN defaults TEXT NOT NULL DEFAULT '{}'; -- JSON`,
	`CREATE TABLE views (
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT NOT NULL,
		address    TEXT NOT NULL,
		created_at INTEGER NOT NULL
	) STRICT;
	CREATE UNIQUE INDEX views_name ON views (name COLLATE NOCASE);`,
	`ALTER TABLE profiles ADD COLUMN page_tools TEXT NOT NULL DEFAULT '';`,
	`ALTER TABLE profiles ADD COLUMN external TEXT NOT NULL DEFAULT '';`, // JSON; '' for a profile with data of its own
}

func migrate(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	var version int
	if err := tx.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&version); err != nil {
		return err
	}
	if version > len(migrations) {
		return fault.New(fault.CodeNewerData,
			fmt.Sprintf("The data folder was written by a newer Cove (data version %d, this one knows %d).", version,
				len(migrations)),
			"Use the newer version, or choose another data folder with --home.")
	}
	for i := version; i < len(migrations); i++ {
		if _, err := tx.ExecContext(ctx, migrations[i]); err != nil {
			return fmt.Errorf("migrate to version %d: %w", i+1, err)
		}
		if _, err := tx.ExecContext(ctx, fmt.Sprintf(`PRAGMA user_version = %d`, i+1)); err != nil {
			return err
		}
	}
	return tx.Commit()
}
