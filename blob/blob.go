// Package blob keeps files by name: in a folder, or in a bucket of an
// S3-compatible store. Names are paths with slashes; files are read in parts and
// replaced whole.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"
)

// The errors of a requested file. Any other failure is the
// store's, which may be out of reach.
var (
	ErrNotFound = errors.New("no such file")
	// ErrChanged is the error of a file that has changed since it was opened.
	ErrChanged = errors.New("the file has changed")
	// ErrExists is the error of Create for a file that is there.
	ErrExists = errors.New("the file is there already")
)

// Info is the size and tag of a file.
type Info struct {
	Size int64  // bytes
	ETag string // changes with the content; without quotes
}

// Span is a part of a file.
type Span struct {
	Offset, Length int64  // bytes; Length is at least 1, and the part lies in the file
	ETag           string // of the file that is meant; "" is any
}

// Reader reads files by name. Its methods are safe for concurrent use.
type Reader interface {
	// Stat fails with ErrNotFound where there is no such file.
	Stat(ctx context.Context, name string) (Info, error)
	// Read gives a part, to be closed after use. It fails with ErrNotFound or
	// ErrChanged, at once or while it is read.
	Read(ctx context.Context, name string, part Span) (io.ReadCloser, error)
}

// Store is a Reader that also takes files.
type Store interface {
	Reader
	// Write makes or replaces a file of size bytes at once: it is there whole or
	// as it was before.
	Write(ctx context.Context, name string, content io.Reader, size int64) error
	// Create makes a file as Write does, and fails with ErrExists where one of that name is
	// there: of several that create it at once one succeeds.
	Create(ctx context.Context, name string, content io.Reader, size int64) error
	// List gives the names of at most so many files in a folder, without those below it: in
	// alphabetical order, from the first after another name on. A folder that is not there has none.
	List(ctx context.Context, folder, after string, most int) ([]string, error)
}

// Open opens the store at a place: a folder, or s3://bucket/prefix.
func Open(place string) (Store, error) {
	if !strings.HasPrefix(place, bucketScheme) {
		if scheme, _, ok := strings.Cut(place, ":"); ok && (scheme == "s3" || strings.Contains(place, "://")) {
			return nil, fmt.Errorf("a store that begins with %s: is none: want a folder, or s3://bucket/prefix", scheme)
		}
		return NewFolder(place), nil
	}
	u, err := url.Parse(place)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("%s: want s3://bucket or s3://bucket/prefix", place)
	}
	return NewBucket(u.Host, strings.Trim(u.Path, "/"))
}

// All reads a whole file of at most limit bytes.
func All(ctx context.Context, from Reader, name string, limit int64) (_ []byte, err error) {
	info, err := from.Stat(ctx, name)
	switch {
	case err != nil:
		return nil, err
	case info.Size > limit:
		return nil, fmt.Errorf("%s has %d bytes, above the limit of %d", name, info.Size, limit)
	case info.Size == 0:
		return nil, nil
	}
	r, err := from.Read(ctx, name, Span{0, info.Size, info.ETag})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	data := make([]byte, info.Size)
	_, err = io.ReadFull(r, data)
	return data, err
}

// valid refuses names that are no plain path within a store.
func valid(name string) error {
	if name == "" || name != path.Clean(name) || path.IsAbs(name) || name == ".." || strings.HasPrefix(name, "../") || strings.ContainsAny(name, "\\\x00") {
		return fmt.Errorf("%w: %q is no name of a file", ErrNotFound, name)
	}
	return nil
}
