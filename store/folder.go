package store

import (
	"context"
	"embed"
	"io/fs"
	"log/slog"
)

// MigrateFolder brings a room's tables to the newest version, as Migrate does, by the files
// in the folder migrations of an embedded file system.
func (db *DB) MigrateFolder(ctx context.Context, room string, embedded embed.FS, log *slog.Logger) error {
	files, err := fs.Sub(embedded, "migrations")
	if err != nil {
		return err
	}
	return db.Migrate(ctx, room, files, log)
}
