package region

import (
	"fmt"
	"os"
)

// Stream writes a section whose arrays are made one after the other, each in the
// file before the next is made: what is as large as a country need not be in memory
// whole. The file is the one that Arrays of the same arrays would write.
type Stream struct {
	file    *os.File
	columns []column // without their data
	want    int
	at      int
}

// NewStream begins a section of so many arrays at path.
func NewStream(path string, arrays int) (*Stream, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	s := &Stream{file: f, want: arrays, at: aligned(headerSize + entrySize*arrays)}
	if _, err := f.Write(make([]byte, s.at)); err != nil {
		return nil, fmt.Errorf("write %s: %w", path, closeAfter(f, err))
	}
	return s, nil
}

// Put adds the arrays of a behind those that are there.
func (s *Stream) Put(a *Arrays) error {
	for _, c := range a.columns {
		if len(s.columns) == s.want {
			return fmt.Errorf("write %s: array %q is one more than the %d announced", s.file.Name(), c.name, s.want)
		}
		if _, err := s.file.Write(c.data); err != nil {
			return fmt.Errorf("write %s: %w", s.file.Name(), err)
		}
		if gap := aligned(len(c.data)) - len(c.data); gap > 0 {
			if _, err := s.file.Write(make([]byte, gap)); err != nil {
				return fmt.Errorf("write %s: %w", s.file.Name(), err)
			}
		}
		c.data = nil
		s.columns = append(s.columns, c)
	}
	return nil
}

// Close ends the section, which is none before, and syncs it.
func (s *Stream) Close() error {
	err := error(nil)
	if len(s.columns) != s.want {
		err = fmt.Errorf("write %s: %d arrays of %d announced", s.file.Name(), len(s.columns), s.want)
	}
	if err == nil {
		_, err = s.file.WriteAt(head(s.columns), 0)
	}
	if err == nil {
		err = s.file.Sync()
	}
	return closeAfter(s.file, err)
}
