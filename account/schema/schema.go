// Package schema has the database tables of accounts, which its packages share:
// identities, keys, links and sessions, the credit ledger, usage.
package schema

import (
	"context"
	"embed"
	"io/fs"
	"log/slog"

	"github.com/waygate/waygate/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Apply migrates the tables to the newest version.
func Apply(ctx context.Context, db *store.DB, log *slog.Logger) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return db.Migrate(ctx, "account", files, log)
}
