package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/waygate/waygate/store"
)

// backupCommand copies the accounts while a server works on them.
type backupCommand struct {
	File        string `arg:"" help:"File to write. It must not exist yet." type:"path"`
	ledgerFlags `embed:"" group:"Database"`
}

// Run writes the copy and says how to restore it.
func (c *backupCommand) Run(ctx context.Context) error { return c.run(ctx, os.Stdout) }

func (c *backupCommand) run(ctx context.Context, out io.Writer) (err error) {
	address, err := c.address()
	if err != nil {
		return err
	}
	path, is := strings.CutPrefix(address, "sqlite:")
	if !is {
		return errors.New("this command is for SQLite; back up PostgreSQL with pg_dump --format custom, and restore with pg_restore")
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("no database found; set SVC_DATABASE_URL or SVC_DATA_DIR: %w", err)
	}
	db, err := store.Open(ctx, address, store.Options{Log: shellLog(os.Stderr)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.Backup(ctx, c.File); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s has the accounts of %s\nTo go back to it: stop the server, remove %[2]s, %[2]s-wal and %[2]s-shm, and copy the backup to %[2]s.\n", c.File, path)
	return err
}
