package region

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"
	"unsafe"
)

// How Check reads: some at a time, and no more in a second than leaves disks and
// cores to others.
const (
	checkedAtOnce    = 1 << 20
	checkedPerSecond = 128 << 20
)

// Check reads all sections of the opened region slowly, and compares them with
// the manifest. It reads the files as they were opened, whatever stands in the
// folder by now; it takes a megabyte of memory and touches no mapped page, so
// that no file can break it. The error names each section that differs, or is
// the context's.
func (r *Region) Check(ctx context.Context) error {
	c := checker{buffer: make([]byte, checkedAtOnce), began: time.Now()}
	var all error
	for _, s := range r.Manifest.Sections {
		err := c.section(ctx, r.mapped[s.Name], s)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		all = errors.Join(all, err)
	}
	return all
}

type checker struct {
	buffer []byte
	began  time.Time
	read   int64
}

func (c *checker) section(ctx context.Context, m mapping, s SectionInfo) error {
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

// Holds names the section that is mapped at an address in memory.
func (r *Region) Holds(address uintptr) (section string, ok bool) {
	for name, m := range r.mapped {
		from := uintptr(unsafe.Pointer(unsafe.SliceData(m.data)))
		if len(m.data) > 0 && address >= from && address < from+uintptr(len(m.data)) {
			return name, true
		}
	}
	return "", false
}
