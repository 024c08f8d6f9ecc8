package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// folder is a Store in a folder of this machine, out of which no name and no
// symbolic link leads.
type folder struct{ dir string }

// NewFolder returns the Store in a folder, which is made when the first file is
// written.
func NewFolder(dir string) Store { return folder{dir} }

// Stat returns a file's size, and its time and size as its tag.
func (f folder) Stat(_ context.Context, name string) (Info, error) {
	file, err := f.open(name)
	if err != nil {
		return Info{}, err
	}
	defer func() { _ = file.Close() }()
	return stat(file)
}

// Read returns a part of a file.
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
func (f folder) Write(_ context.Context, name string, content io.Reader, size int64) error {
	return f.put(name, content, size, func(root *os.Root, temporary string) error {
		return root.Rename(filepath.FromSlash(temporary), filepath.FromSlash(name))
	})
}

// Create puts a file in place by a link, which fails where the name is taken.
func (f folder) Create(_ context.Context, name string, content io.Reader, size int64) error {
	return f.put(name, content, size, func(root *os.Root, temporary string) error {
		err := root.Link(filepath.FromSlash(temporary), filepath.FromSlash(name))
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%w: %s", ErrExists, name)
		}
		return errors.Join(err, root.Remove(temporary))
	})
}

// temporaries begin the names of files that are being written.
const temporaries = ".new-"

// put writes a file under a name of its own, so that several may write one file at once, and then
// puts it in place.
func (f folder) put(name string, content io.Reader, size int64, place func(root *os.Root, temporary string) error) (err error) {
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
	temporary := path.Join(path.Dir(name), temporaries+rand.Text()+"-"+path.Base(name))
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
		err = place(root, temporary)
	}
	if err != nil {
		err = errors.Join(err, root.Remove(temporary))
	}
	return err
}

// List reads the folder, whose names a system gives in no order.
func (f folder) List(_ context.Context, dir, after string, most int) ([]string, error) {
	if err := valid(dir); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all, err := fs.ReadDir(root.FS(), dir)
	if err = errors.Join(ignored(err), root.Close()); err != nil {
		return nil, err
	}
	var names []string
	for _, e := range all {
		if name := e.Name(); len(names) < most && name > after && e.Type().IsRegular() && !strings.HasPrefix(name, temporaries) {
			names = append(names, name)
		}
	}
	return names, nil
}

// ignored is the error of a folder that may be missing.
func ignored(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return err
}
