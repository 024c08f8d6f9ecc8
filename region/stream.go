package region

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// Stream writes a section whose arrays are made one after the other, each in the
// file before the next is made: what is as large as a country need not be in memory
// whole. The file is the one that Arrays of the same arrays would write, those that
// are put under one name being one array, in their order.
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
		err = s.join()
	}
	if err == nil {
		_, err = s.file.WriteAt(head(s.columns), 0)
	}
	if err == nil {
		err = s.file.Sync()
	}
	return closeAfter(s.file, err)
}

// join makes one array of those of each name: all are copied into a file that takes
// the place of the one that they were put into.
func (s *Stream) join() error {
	pieces, joined := map[string][]piece{}, []column(nil)
	at := aligned(headerSize + entrySize*len(s.columns))
	for _, c := range s.columns {
		size := c.size * c.count
		pieces[c.name] = append(pieces[c.name], piece{int64(at), int64(size)})
		at = aligned(at + size)
		if i := slices.IndexFunc(joined, func(j column) bool { return j.name == c.name }); i < 0 {
			joined = append(joined, c)
		} else if joined[i].count += c.count; joined[i].size != c.size {
			return fmt.Errorf("write %s: array %q has elements of %d and of %d bytes", s.file.Name(), c.name, joined[i].size, c.size)
		}
	}
	if len(joined) == len(s.columns) {
		return nil
	}
	path := s.file.Name()
	to, err := NewStream(path+".joined", len(joined))
	if err != nil {
		return err
	}
	buffer := make([]byte, 1<<16)
	for _, c := range joined {
		err = errors.Join(err, to.copy(s.file, c, pieces[c.name], buffer))
	}
	if err != nil {
		return errors.Join(closeAfter(to.file, err), os.Remove(to.file.Name()))
	}
	put := s.file
	*s = *to
	return errors.Join(put.Close(), os.Rename(path+".joined", path))
}

// piece is where a part of an array lies in a file.
type piece struct{ at, size int64 }

// copy adds an array that lies in pieces of another file.
func (s *Stream) copy(from io.ReaderAt, c column, pieces []piece, buffer []byte) error {
	for _, p := range pieces {
		if _, err := io.CopyBuffer(struct{ io.Writer }{s.file}, io.NewSectionReader(from, p.at, p.size), buffer); err != nil {
			return fmt.Errorf("write %s: %w", s.file.Name(), err)
		}
	}
	size := c.size * c.count
	if _, err := s.file.Write(make([]byte, aligned(size)-size)); err != nil {
		return fmt.Errorf("write %s: %w", s.file.Name(), err)
	}
	s.columns = append(s.columns, c)
	return nil
}
