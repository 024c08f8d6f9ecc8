// Package files has the folders that commands are given, the data folder, files that are
// opened with their format, and files that are replaced whole.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/waygate/waygate/blob"
)

// Folders are folders of regions or of heights, or files of zones.
type Folders []string

// Decode reads one or more folders from the command line or the environment and
// adds them.
func (f *Folders) Decode(line *kong.DecodeContext) error {
	var list string
	if err := line.Scan.PopValueInto("folder", &list); err != nil {
		return err
	}
	for _, dir := range filepath.SplitList(list) {
		if dir != "" {
			*f = append(*f, kong.ExpandPath(dir))
		}
	}
	return nil
}

// DataFolder returns the folder that is set, or else the user's.
func DataFolder(dir string) (string, error) {
	if dir != "" {
		return dir, nil
	}
	dir, err := UserDataFolder()
	if err != nil {
		return "", fmt.Errorf("no data folder was found; set SVC_DATA_DIR: %w", err)
	}
	return dir, nil
}

// UserDataFolder returns the user's data folder by the XDG Base Directory Specification.
func UserDataFolder() (string, error) {
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "waygate"), nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "share", "waygate"), err
}

// Replace writes a file so that a kill leaves either the old one or the new.
func Replace(file string, write func(io.Writer) error) error {
	return ReplaceFile(file, func(f *os.File) error { return write(f) })
}

// ReplaceFile is Replace for what is not written in order.
func ReplaceFile(file string, write func(*os.File) error) error {
	f, err := os.Create(file + ".new")
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

// WebSchemes are the schemes of addresses that files can be fetched from.
var WebSchemes = []string{"http", "https"}

// WithHint adds a hint to the error of a missing file if one of the places may have been
// meant as an address.
func WithHint(err error, places ...string) error {
	if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, blob.ErrNotFound) {
		return err
	}
	for _, place := range places {
		scheme, _, has := strings.Cut(place, "://")
		host, _, path := strings.Cut(place, "/")
		switch {
		case has && scheme != "s3" && !slices.Contains(WebSchemes, scheme):
			return fmt.Errorf("%w (only addresses that begin with http:// or https:// can be fetched, not %s://)", err, scheme)
		case !has && path && strings.Contains(strings.Trim(host, "."), "."):
			return fmt.Errorf("%w (if %s is a server, put http:// or https:// before it)", err, host)
		}
	}
	return err
}

// Open opens a file and has its format read by read, which is given its length. Errors of
// the format name the file.
func Open[T any](path string, read func(r io.ReaderAt, size int64) (T, error)) (f *os.File, out T, err error) {
	if f, err = os.Open(path); err != nil {
		return nil, out, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, out, errors.Join(err, f.Close())
	}
	if out, err = read(f, info.Size()); err != nil {
		return nil, out, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return f, out, nil
}
