package region

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
	"unsafe"
)

// How Check reads: some at a time, and no more in a second than leaves disks and
// cores to others.
const (
	checkedAtOnce    = 1 << 20
	checkedPerSecond = 128 << 20
)

// Check reads sections of the opened region slowly, all where none is named, and
// compares them with the manifest. It reads the files as they were opened, whatever
// stands in the folder by now; it takes a megabyte of memory and touches no mapped
// page, so that no file can break it. The error has a Damage for each section that
// differs, or is the context's.
func (r *Region) Check(ctx context.Context, only ...string) error {
	c := checker{buffer: make([]byte, checkedAtOnce), began: time.Now()}
	var all error
	for _, s := range r.Manifest.Sections {
		if len(only) > 0 && !slices.Contains(only, s.Name) {
			continue
		}
		err := c.section(ctx, r.mapped[s.Name], s)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		all = errors.Join(all, damaged(s.Name, err))
	}
	return all
}

// Damage is why the file of a section cannot be used.
type Damage struct {
	Section string
	Err     error // names the section and its file
}

func (d *Damage) Error() string { return d.Err.Error() }
func (d *Damage) Unwrap() error { return d.Err }

func damaged(section string, err error) error {
	if err == nil {
		return nil
	}
	return &Damage{section, err}
}

// Damages lists the Damage of each section that a failure is made of; not ok where
// something else is in it, or nothing.
func Damages(err error) (list []*Damage, ok bool) {
	switch e := err.(type) { //nolint:errorlint // all of the failure must be damage, not some of it
	case *Damage:
		return []*Damage{e}, true
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			some, ok := Damages(one)
			if !ok {
				return nil, false
			}
			list = append(list, some...)
		}
	}
	return list, len(list) > 0
}

// racy is how long after its last change a file may change once more without its time
// saying so, on file systems that keep it in whole seconds.
const racy = 2 * time.Second

// Changed compares the files of all sections with what they were when it, or Open,
// looked last: their sizes, their times, and whether they are the same files. It names
// those that have changed, and of these the ones in whose place another file stands by
// now, or none; what is open of them is as it was. A file that has changed a moment ago
// is named once more the next time. It reads nothing.
func (r *Region) Changed() (changed, replaced []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, nil
	}
	for _, s := range r.Manifest.Sections {
		m := r.mapped[s.Name]
		now, err := os.Stat(filepath.Join(r.Dir, s.File))
		if err != nil {
			now = nil
		}
		before := m.seen
		same := now == nil && before == nil || now != nil && before != nil && os.SameFile(now, before) && now.Size() == before.Size() && now.ModTime().Equal(before.ModTime())
		if same && !m.again {
			continue
		}
		m.seen, m.again = now, false
		if now != nil && !same {
			age := time.Since(now.ModTime())
			m.again = age >= 0 && age < racy
		}
		changed = append(changed, s.Name)
		if now == nil || !os.SameFile(now, m.opened) {
			replaced = append(replaced, s.Name)
		}
	}
	return changed, replaced
}

type checker struct {
	buffer []byte
	began  time.Time
	read   int64
}

func (c *checker) section(ctx context.Context, m *mapping, s SectionInfo) error {
	st, err := m.file.Stat()
	if err != nil {
		return fmt.Errorf("section %s: %w", s.Name, err)
	}
	if st.Size() != s.Size {
		return fmt.Errorf("section %s: the file has %d bytes, the manifest says %d", s.Name, st.Size(), s.Size)
	}
	h := sha256.New()
	for at := int64(0); at < s.Size; {
		n, err := m.file.ReadAt(c.buffer[:min(checkedAtOnce, s.Size-at)], at)
		if n == 0 && err != nil {
			if errors.Is(err, io.EOF) {
				return fmt.Errorf("section %s: the file was cut short", s.Name)
			}
			return fmt.Errorf("section %s: %w", s.Name, err)
		}
		h.Write(c.buffer[:n])
		at += int64(n)
		c.read += int64(n)
		if err := c.wait(ctx); err != nil {
			return err
		}
	}
	if hex.EncodeToString(h.Sum(nil)) != s.SHA256 {
		return fmt.Errorf("section %s does not match its SHA-256", s.Name)
	}
	return nil
}

// wait lasts until as much may have been read.
func (c *checker) wait(ctx context.Context) error {
	early := time.Duration(float64(c.read)/checkedPerSecond*float64(time.Second)) - time.Since(c.began)
	if early <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(early)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// SectionAt returns the name of the section that is mapped at an address in memory.
func (r *Region) SectionAt(address uintptr) (section string, ok bool) {
	for name, m := range r.mapped {
		from := uintptr(unsafe.Pointer(unsafe.SliceData(m.data)))
		if len(m.data) > 0 && address >= from && address < from+uintptr(len(m.data)) {
			return name, true
		}
	}
	return "", false
}
