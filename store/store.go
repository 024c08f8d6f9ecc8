// Package store is the database: open, migrate, transact. It speaks SQLite
// (one file, the default) and PostgreSQL (several replicas). Rooms that keep
// rows own their tables and their SQL, written once for both:
// placeholders are $1, $2, …; times are BIGINT milliseconds since the epoch,
// money BIGINT millipence, lists and objects JSON in TEXT.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver pgx
	_ "modernc.org/sqlite"             // the driver sqlite

	"github.com/waygate/waygate/fault"
)

// Dialect is the kind of database behind a DB.
type Dialect string

// The dialects. Both support $1 placeholders, ON CONFLICT and RETURNING.
const (
	SQLite     Dialect = "sqlite"
	PostgreSQL Dialect = "postgres"
)

// DB is an open database. All its methods are safe for concurrent use.
type DB struct {
	Dialect Dialect
	heard   func(statement string) // may be nil
	read    *sql.DB
	write   *sql.DB // SQLite has one writer; on PostgreSQL the same as read
	writers *queue  // nil on PostgreSQL
}

// Querier is the common part of a DB and a Tx.
type Querier interface {
	Exec(ctx context.Context, query string, args ...any) (int64, error)
	Query(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRow(ctx context.Context, query string, args ...any) *sql.Row
}

// Options configure Open. The zero value is good.
type Options struct {
	Log   *slog.Logger           // of warnings; nil drops them
	Heard func(statement string) // is called with each statement before it runs; may be nil
}

// Open opens the database at address: sqlite:PATH or postgres://….
// The folder of an SQLite file is made where it is missing, and only the owner of
// the file may read it.
func Open(ctx context.Context, address string, o Options) (*DB, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if path, ok := strings.CutPrefix(address, "sqlite:"); ok {
		return openSQLite(ctx, path, o)
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		// The address may contain a password, so it is not shown.
		return nil, errors.New("the database address must start with sqlite: or postgres://")
	}
	return openPostgreSQL(ctx, address, o)
}

func openPostgreSQL(ctx context.Context, address string, o Options) (*DB, error) {
	pool, err := sql.Open("pgx", address)
	if err != nil {
		return nil, fmt.Errorf("open PostgreSQL: %w", err)
	}
	pool.SetMaxOpenConns(16)
	pool.SetMaxIdleConns(16)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	db := &DB{Dialect: PostgreSQL, heard: o.Heard, read: pool, write: pool}
	if err := db.Ping(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open PostgreSQL: %w", err), db.Close())
	}
	return db, nil
}

func openSQLite(ctx context.Context, path string, o Options) (*DB, error) {
	if path == "" {
		return nil, errors.New("the database address sqlite: names no file")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("open SQLite: %w", err)
	}
	if err := keepPrivate(path, o.Log); err != nil {
		return nil, fmt.Errorf("open SQLite: %w", err)
	}
	// A commit is on the disk when it returns (synchronous FULL): balances
	// outlive a power cut. Writers take the lock when they begin, so that none
	// has to give up half-way. What is deleted is overwritten (secure_delete).
	file := "file:" + (&url.URL{Path: path}).EscapedPath() + "?_txlock=immediate&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)&_pragma=secure_delete(1)"
	write, err := sql.Open("sqlite", file+"&_pragma=busy_timeout("+strconv.FormatInt(look.Milliseconds(), 10)+")")
	if err != nil {
		return nil, fmt.Errorf("open SQLite: %w", err)
	}
	write.SetMaxOpenConns(1)
	// Readers wait for nobody but who recovers the file after a crash.
	read, err := sql.Open("sqlite", file+"&_pragma=query_only(1)&_pragma=busy_timeout("+strconv.FormatInt(patience.Milliseconds(), 10)+")")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open SQLite: %w", err), write.Close())
	}
	read.SetMaxOpenConns(8)
	read.SetMaxIdleConns(8)
	db := &DB{Dialect: SQLite, heard: o.Heard, read: read, write: write, writers: newQueue()}
	// Two that open a new file at once both want to make it one with a WAL.
	if err := persist(ctx, func() error { return write.PingContext(ctx) }); err != nil {
		return nil, errors.Join(fmt.Errorf("open SQLite at %s: %w", path, err), db.Close())
	}
	return db, nil
}

// Close lets go of the connections.
func (db *DB) Close() error {
	err := db.read.Close()
	if db.write != db.read {
		err = errors.Join(err, db.write.Close())
	}
	return err
}

// Ping reports whether the database answers.
func (db *DB) Ping(ctx context.Context) error { return db.read.PingContext(ctx) }

// Texts reads the one column of texts that a query has, outside a transaction.
func (db *DB) Texts(ctx context.Context, query string, args ...any) ([]string, error) {
	return Texts(ctx, db, query, args...)
}

// Texts reads the one column of texts that a query has.
func Texts(ctx context.Context, db Querier, query string, args ...any) (list []string, err error) {
	rows, err := db.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return list, rows.Err()
}

// Query reads rows, outside a transaction.
func (db *DB) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	db.tell(query)
	return db.read.QueryContext(ctx, query, args...)
}

// QueryRow reads one row, outside a transaction. A statement that writes and
// RETURNs belongs in Tx.
func (db *DB) QueryRow(ctx context.Context, query string, args ...any) *sql.Row {
	db.tell(query)
	return db.read.QueryRowContext(ctx, query, args...)
}

// Exec runs one writing statement and gives the number of rows it touched.
func (db *DB) Exec(ctx context.Context, query string, args ...any) (rows int64, err error) {
	err = db.inTurn(ctx, func() error {
		db.tell(query)
		rows, err = affected(db.write.ExecContext(ctx, query, args...))
		return err
	})
	return rows, err
}

// Forget has what was deleted leave the files of SQLite too: it empties the log, where changed pages
// stand as they were. It waits for nobody: where a reader still needs the log it stays, and the next
// call empties it. A PostgreSQL server keeps what was deleted until its vacuum and the end of its log,
// which are its operator's.
func (db *DB) Forget(ctx context.Context) error {
	if db.Dialect != SQLite {
		return nil
	}
	return db.inTurn(ctx, func() error {
		var busy, pages, moved int
		return db.write.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved)
	})
}

func (db *DB) tell(statement string) {
	if db.heard != nil {
		db.heard(statement)
	}
}

// inTurn runs what writes: at once on PostgreSQL, and in turn on SQLite.
func (db *DB) inTurn(ctx context.Context, do func() error) error {
	if db.writers == nil {
		return do()
	}
	if err := db.writers.enter(ctx); err != nil {
		return err
	}
	defer db.writers.leave()
	return persist(ctx, do)
}

// Tx is a running transaction.
type Tx struct {
	tx *sql.Tx
	db *DB
}

// Exec runs one statement and gives the number of rows it touched.
func (t *Tx) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	t.db.tell(query)
	return affected(t.tx.ExecContext(ctx, query, args...))
}

// Query reads rows, which must be closed before the next statement.
func (t *Tx) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	t.db.tell(query)
	return t.tx.QueryContext(ctx, query, args...)
}

// Serialise waits until no other transaction that has called it with this name is running, on any
// replica. It is for limits that are counted before a row is inserted, and comes before the count.
func (t *Tx) Serialise(ctx context.Context, name string) error {
	if t.db.Dialect == SQLite { // its transactions run one at a time
		return nil
	}
	_, err := t.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name)
	return err
}

// QueryRow reads one row.
func (t *Tx) QueryRow(ctx context.Context, query string, args ...any) *sql.Row {
	t.db.tell(query)
	return t.tx.QueryRowContext(ctx, query, args...)
}

func affected(r sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// attempts is how often a transaction that lost against another is tried.
const attempts = 8

// Tx runs do in a transaction: all of it happens, or nothing. On PostgreSQL
// the isolation is READ COMMITTED, so do must decide by conditional statements
// (UPDATE … WHERE balance >= $1, ON CONFLICT … RETURNING) or lock the row it
// decides about by updating it first, not by what it has read before. do may
// run again after a deadlock, so it must have no effects outside tx; and it must
// not use db, whose only writer it is on SQLite.
func (db *DB) Tx(ctx context.Context, do func(*Tx) error) error {
	var err error
	for n := range attempts {
		if err = db.inTurn(ctx, func() error { return db.once(ctx, do) }); err == nil || !beaten(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(time.Duration(1<<n) * time.Millisecond):
		}
	}
	return err
}

func (db *DB) once(ctx context.Context, do func(*Tx) error) (err error) {
	tx, err := db.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err == nil {
			return
		}
		if undone := tx.Rollback(); undone != nil && !errors.Is(undone, sql.ErrTxDone) {
			err = errors.Join(err, undone)
		}
	}()
	if err := do(&Tx{tx, db}); err != nil {
		return err
	}
	return tx.Commit()
}

// Migrate brings the tables of one room to the newest version, each migration
// in a transaction, and waits for another process that is at it. files holds
// goose migrations at its root: 00001_name.sql, ….
func (db *DB) Migrate(ctx context.Context, room string, files fs.FS, log *slog.Logger) error {
	return migrate(ctx, db, room, files, log)
}

// Unavailable makes a failure of the database one that a caller may read.
func Unavailable(err error) error {
	if err == nil {
		return nil
	}
	if f := (*fault.Error)(nil); errors.As(err, &f) {
		return err
	}
	return fault.Wrap(err, fault.UpstreamUnavailable, "the account database does not answer; try again shortly").With("retry_after", 2)
}
