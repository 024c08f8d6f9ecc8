package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
	"github.com/pressly/goose/v3/lock"
)

func migrate(ctx context.Context, db *DB, room string, files fs.FS, log *slog.Logger) error {
	dialect := goose.DialectSQLite3
	var options []goose.ProviderOption
	if db.Dialect == PostgreSQL {
		dialect = goose.DialectPostgres
		locker, err := lock.NewPostgresSessionLocker()
		if err != nil {
			return err
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	versions, err := database.NewStore(dialect, "schema_"+room)
	if err != nil {
		return err
	}
	if db.Dialect == SQLite {
		versions = onceOnly{versions}
	}
	// With a store of one's own, goose wants the dialect left open.
	p, err := goose.NewProvider("", db.write, files, append(options, goose.WithStore(versions), goose.WithSlog(log))...)
	if err != nil {
		return fmt.Errorf("migrations of %s: %w", room, err)
	}
	for n := range attempts {
		err = db.inTurn(ctx, func() error {
			_, err := p.Up(ctx)
			return err
		})
		if err == nil {
			return notNewer(ctx, p, room)
		}
		if db.Dialect == PostgreSQL {
			break
		}
		// SQLite has no lock over several transactions: another process may have
		// been first with one of them, and what it did is seen the next time.
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(time.Duration(20<<n) * time.Millisecond):
		}
	}
	return fmt.Errorf("migrate %s: %w", room, err)
}

// notNewer refuses tables that a newer program has migrated: this one would read and write them by
// rules that it does not have.
func notNewer(ctx context.Context, p *goose.Provider, room string) error {
	has, knows, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("migrate %s: %w", room, err)
	}
	if has > knows {
		return fmt.Errorf("a newer version of this program has changed the database: the tables of %s have version %d, and this program reads up to %d; start the newer one, or go back to a backup from before it", room, has, knows)
	}
	return nil
}

// onceOnly lets no version be recorded twice: a migration that another process
// applied since this one looked is rolled back with its record.
type onceOnly struct{ database.Store }

func (v onceOnly) Insert(ctx context.Context, tx database.DBTxConn, req database.InsertRequest) error {
	_, err := v.GetMigration(ctx, tx, req.Version)
	if err == nil {
		return fmt.Errorf("version %d is already applied", req.Version)
	}
	if !errors.Is(err, database.ErrVersionNotFound) {
		return err
	}
	return v.Store.Insert(ctx, tx, req)
}

// beaten reports whether a transaction lost against another and may be tried
// again: serialisation failure 40001 and deadlock 40P01 of PostgreSQL. SQLite
// waits for its lock before it begins.
func beaten(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01")
}
