package store

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
)

// private is the mode of the files of a database, which hold e-mail addresses and
// the signing secrets of webhooks: only their owner reads and writes them.
const private fs.FileMode = 0o600

// keepPrivate makes the file of an SQLite database where it is missing, readable by
// its owner alone. SQLite gives the files that it makes beside it the same mode. Of
// files that are there it takes the rights of others away, and logs that it did;
// where the system does not let it, it logs what the operator should do.
func keepPrivate(path string, log *slog.Logger) error {
	// An existing file is not opened: to close it again would end the locks that
	// another connection of this process has on it.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, private)
	if err == nil {
		return f.Close()
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if runtime.GOOS == "windows" {
		return nil // its modes say nothing about other users
	}
	for _, file := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(file)
		if err != nil || info.Mode().Perm()&^private == 0 {
			continue // what cannot be read is an error of opening it
		}
		mode := info.Mode().Perm().String()
		if err := os.Chmod(file, info.Mode().Perm()&private); err != nil {
			log.Warn("other users of this machine may read the accounts: chmod 600 the file", "file", file, "mode", mode, "error", err)
			continue
		}
		log.Warn("other users of this machine could read the accounts: only the owner may now", "file", file, "mode", mode)
	}
	return nil
}
