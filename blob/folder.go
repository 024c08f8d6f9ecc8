package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"
)

// folder is a Store in a folder of this machine, out of which no name and no
// symbolic link leads.
type folder struct{ dir string }

// NewFolder gives the Store in a folder, which is made when the first file is
// written.
func NewFolder(dir string) Store { return folder{dir} }

// Stat gives a file's size, and its time and size as its tag.
func (f folder) Stat(_ context.Context, name string) (Info, error) {
	file, err := f.open(name)
	if err != nil {
		return Info{}, err
	}
	defer func() { _ = file.Close() }()
	return stat(file)
}

// Read gives a part of a file.
func (f folder) Read(_ context.Context, name string, part Span) (io.ReadCloser, error) {
	file, err := f.open(name)
	if err != nil {
		return nil, err
	}
	info, err := stat(file)
	switch {
	case err != nil:
	case part.ETag != "" && part.ETag != info.ETag:
		err = ErrChanged
	case part.Offset < 0 || part.Length < 1 || part.Length > info.Size-part.Offset:
		err = fmt.Errorf("%s has %d bytes: none from %d to %d", name, info.Size, part.Offset, part.Offset+part.Length)
	default:
		return section{io.NewSectionReader(file, part.Offset, part.Length), file}, nil
	}
	return nil, errors.Join(err, file.Close())
}

// section is a part of an open file.
type section struct {
	io.Reader
	io.Closer
}

func (f folder) open(name string) (*os.File, error) {
	if err := valid(name); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", ErrNotFound, name)
	}
	if err != nil {
		return nil, err
	}
	file, err := root.Open(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		err = fmt.Errorf("%w: %s", ErrNotFound, name)
	}
	if e := root.Close(); err == nil && e != nil {
		return nil, errors.Join(e, file.Close())
	}
	return file, err
}

func stat(file *os.File) (Info, error) {
	info, err := file.Stat()
	if err != nil {
		return Info{}, err
	}
	if !info.Mode().IsRegular() {
		return Info{}, fmt.Errorf("%w: %s is no file", ErrNotFound, info.Name())
	}
	return Info{info.Size(), fmt.Sprintf("%x-%x", info.ModTime().UnixNano(), info.Size())}, nil
}

// Write puts a file in place by a rename.
func (f folder) Write(_ context.Context, name string, content io.Reader, size int64) (err error) {
	if err := valid(name); err != nil {
		return err
	}
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	temporary := path.Join(path.Dir(name), ".new-"+path.Base(name))
	file, err := root.Create(temporary)
	if err != nil {
		return err
	}
	n, err := io.Copy(file, content)
	if err == nil && n != size {
		err = fmt.Errorf("%s has %d bytes, %d were announced", name, n, size)
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = root.Rename(filepath.FromSlash(temporary), filepath.FromSlash(name))
	}
	if err != nil {
		err = errors.Join(err, root.Remove(temporary))
	}
	return err
}
