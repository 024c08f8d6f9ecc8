package region

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// Region is an opened region. What it hands out lives until Close.
type Region struct {
	Dir      string
	Manifest *Manifest
	mapped   map[string]*mapping
	sealed   string // SealedHash

	mu     sync.Mutex
	closed bool
	users  sync.WaitGroup
}

// Open maps the sections of the sealed region in dir. It reads the manifest
// and the files' sizes, not their content, so it takes milliseconds whatever
// the region's size; Verify reads everything. Sections that are named in without are
// left out, as if the region had been built without them. The error is a Damage where
// it is the file of a section that cannot be opened.
func Open(dir string, without ...string) (*Region, error) {
	// A seal may sweep the old files away between our reading the manifest
	// and our opening them: another manifest is then in place, so try that.
	m, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	for {
		r, err := open(dir, m, without...)
		if !errors.Is(err, fs.ErrNotExist) {
			return r, err
		}
		now, e := ReadManifest(dir)
		if e != nil {
			return nil, e
		}
		if slices.Equal(now.Sections, m.Sections) {
			return nil, err
		}
		m = now
	}
}

// OpenUnsealed maps sections of a region that is being built. They must be in place.
func OpenUnsealed(dir string, sections ...SectionInfo) (*Region, error) {
	return open(dir, &Manifest{Sections: sections})
}

func open(dir string, m *Manifest, without ...string) (*Region, error) {
	r := &Region{Dir: dir, Manifest: m, mapped: map[string]*mapping{}, sealed: m.Hash()}
	r.HideSections(without...)
	for _, s := range r.Manifest.Sections {
		file, err := mapFile(filepath.Join(dir, s.File), s.Size)
		if err != nil {
			return nil, errors.Join(&Damage{s.Name, fmt.Errorf("section %s: %w", s.Name, err)}, r.Close())
		}
		r.mapped[s.Name] = file
	}
	return r, nil
}

// SealedHash returns the hash of the manifest as it was sealed, with all sections: that by which
// verdicts name the region.
func (r *Region) SealedHash() string { return r.sealed }

// HideSections has the region be as if it had been built without some sections. It is for
// the time before anything of these is used.
func (r *Region) HideSections(sections ...string) {
	if len(sections) == 0 {
		return
	}
	m := *r.Manifest
	m.Sections = slices.DeleteFunc(slices.Clone(m.Sections), func(s SectionInfo) bool { return slices.Contains(sections, s.Name) })
	r.Manifest = &m
}

// Bytes returns a section's file as mapped, nil where the region has none. The
// section's own format version must be at most newest and at least oldest.
func (r *Region) Bytes(name string, oldest, newest int) ([]byte, error) {
	info, ok := r.Manifest.Section(name)
	switch {
	case !ok:
		return nil, nil
	case info.Version > newest:
		return nil, fmt.Errorf("%s: %w", r.Dir, &NewerFormatError{"section " + name, info.Version, newest})
	case info.Version < oldest:
		return nil, fmt.Errorf("%s: section %s has the old format version %d (this build reads from %d): import again", r.Dir, name, info.Version, oldest)
	}
	return r.mapped[name].data, nil
}

// Section opens a section of arrays, which the region must have, with the
// bounds of Bytes on its version.
func (r *Region) Section(name string, oldest, newest int) (*Section, error) {
	if _, ok := r.Manifest.Section(name); !ok {
		return nil, fmt.Errorf("%s: the region has no section %s: import again", r.Dir, name)
	}
	data, err := r.Bytes(name, oldest, newest)
	if err != nil {
		return nil, err
	}
	return ReadSection(name, data)
}

// Optional opens a section as Section does; nil where the region was built
// without it.
func (r *Region) Optional(name string, oldest, newest int) (*Section, error) {
	if _, ok := r.Manifest.Section(name); !ok {
		return nil, nil //nolint:nilnil // having none is no failure
	}
	return r.Section(name, oldest, newest)
}

// Use keeps the region open for work in the background until done is called;
// not ok once Close has begun.
func (r *Region) Use() (done func(), ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, false
	}
	r.users.Add(1)
	return r.users.Done, true
}

// Close waits for those that Use the region and unmaps everything. Nothing
// that came from the region may be used afterwards.
func (r *Region) Close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.users.Wait()
	var all error
	for name, file := range r.mapped {
		all = errors.Join(all, file.close())
		delete(r.mapped, name)
	}
	return all
}

// Verify reads every section of the region in dir and compares sizes and
// SHA-256 with the manifest. The error has a Damage for each section that differs, or
// is the context's.
func Verify(ctx context.Context, dir string) error {
	m, err := ReadManifest(dir)
	if err != nil {
		return err
	}
	return m.verify(ctx, dir)
}

func (m *Manifest) verify(ctx context.Context, dir string) error {
	var all error
	for _, s := range m.Sections {
		err := VerifySection(ctx, dir, s)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		all = errors.Join(all, damaged(s.Name, err))
	}
	return all
}

// ReadPrevious reads the manifest of the region that was in dir before the one there
// now, which a seal keeps; the error is fs.ErrNotExist where there is none.
func ReadPrevious(dir string) (*Manifest, error) {
	return readManifest(filepath.Join(dir, PreviousName))
}

// OpenPrevious opens the region of ReadPrevious, as if it had been built without some sections.
func OpenPrevious(dir string, without ...string) (*Region, error) {
	m, err := ReadPrevious(dir)
	if err != nil {
		return nil, err
	}
	return open(dir, m, without...)
}

// VerifyPrevious is Verify of the region of ReadPrevious.
func VerifyPrevious(ctx context.Context, dir string) error {
	m, err := ReadPrevious(dir)
	if err != nil {
		return err
	}
	return m.verify(ctx, dir)
}

// VerifySection reads one section's file in dir and compares its size and
// SHA-256 with its entry.
func VerifySection(ctx context.Context, dir string, s SectionInfo) error {
	size, sum, err := Sum(ctx, filepath.Join(dir, s.File))
	switch {
	case err != nil:
		return fmt.Errorf("section %s: %w", s.Name, err)
	case size != s.Size:
		return fmt.Errorf("section %s: %s has %d bytes, the manifest says %d: import again", s.Name, s.File, size, s.Size)
	case sum != s.SHA256:
		return fmt.Errorf("section %s: %s does not match its SHA-256: the file is damaged, import again", s.Name, s.File)
	}
	return nil
}

// Sum returns the size and the SHA-256, in hexadecimal, of a file.
func Sum(ctx context.Context, path string) (size int64, sum string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, "", err
	}
	h := sha256.New()
	for err == nil {
		var n int64
		n, err = io.CopyN(h, f, checkedAtOnce)
		size += n
		if err == nil {
			err = ctx.Err()
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return size, hex.EncodeToString(h.Sum(nil)), closeAfter(f, err)
}

// Adopt moves a finished section file into the region's folder dir under its
// content-addressed name and gives its manifest entry.
func Adopt(dir, file, name string, version int) (SectionInfo, error) {
	size, sum, err := Sum(context.Background(), file) // of a file that was just written
	if err != nil {
		return SectionInfo{}, err
	}
	info := SectionInfo{
		Name: name, Version: version, Size: size, SHA256: sum,
		File: fmt.Sprintf("%s-%s%s", name, sum[:12], sectionSuffix),
	}
	return info, os.Rename(file, filepath.Join(dir, info.File))
}

// WithSection maps one finished section file in dir, gives its arrays to use
// and unmaps it afterwards: for a later stage of an import that reads what an
// earlier one wrote.
func WithSection(dir string, info SectionInfo, use func(*Section) error) error {
	file, err := mapFile(filepath.Join(dir, info.File), info.Size)
	if err != nil {
		return err
	}
	s, err := ReadSection(info.Name, file.data)
	if err == nil {
		err = use(s)
	}
	return errors.Join(err, file.close())
}
