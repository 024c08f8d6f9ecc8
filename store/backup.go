package store

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// Backup writes all that is committed to a new file, readable by its owner
// alone, while others read and write. It is of SQLite only: PostgreSQL has
// pg_dump. The file must not be there; where Backup fails, none is.
func (db *DB) Backup(ctx context.Context, file string) (err error) {
	if db.Dialect != SQLite {
		return errors.New("a backup of PostgreSQL is made with pg_dump")
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600) // VACUUM INTO takes an empty file
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, f.Close())
		if err != nil {
			err = errors.Join(err, os.Remove(file))
		}
	}()
	if _, err := db.write.ExecContext(ctx, "VACUUM INTO $1", file); err != nil {
		return fmt.Errorf("back up to %s: %w", file, err)
	}
	return f.Sync()
}
