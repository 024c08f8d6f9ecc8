package gtfs

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Row is one record of a table.
type Row struct {
	Line   int // of the file, from 1
	fields [][]byte
	column []int // of each asked column, -1 where the table has it not
}

// Bytes returns the value of the i-th asked column without surrounding space, empty where
// there is none. It is valid until the next record is read.
func (r *Row) Bytes(i int) []byte {
	at := r.column[i]
	if at < 0 || at >= len(r.fields) {
		return nil
	}
	return r.fields[at]
}

// Text is Bytes as a string of valid UTF-8.
func (r *Row) Text(i int) string { return strings.ToValidUTF8(string(r.Bytes(i)), "\ufffd") }

// Int returns a whole number of 0 to most; other where the column is empty, and false where it
// is no such number.
func (r *Row) Int(i, most, other int) (n int, ok bool) {
	text := r.Bytes(i)
	if len(text) == 0 {
		return other, true
	}
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 0 || n > most {
		return other, false
	}
	return n, true
}

// scanner reads the records of a table.
type scanner struct {
	in     *bufio.Reader
	faults *Faults
	table  string
	line   int
	held   []string // lines that were read ahead in vain, to be read again
	text   []byte   // of the record
	row    Row
	err    error
}

func newScanner(in io.Reader, faults *Faults, table string) *scanner {
	return &scanner{in: bufio.NewReaderSize(in, 1<<16), faults: faults, table: table}
}

// errEmpty is of a table without its first line.
var errEmpty = errors.New("it is empty")

// header reads the names of columns and finds those that the caller wants.
func (s *scanner) header(asked []string) error {
	if mark, _ := s.in.Peek(3); string(mark) == "\ufeff" {
		_, _ = s.in.Discard(3)
	}
	if !s.next() {
		if s.err != nil {
			return s.err
		}
		return errEmpty
	}
	names := map[string]int{}
	for i, f := range s.row.fields {
		if _, there := names[strings.ToLower(string(f))]; !there {
			names[strings.ToLower(string(f))] = i
		}
	}
	s.row.column = make([]int, len(asked))
	found := 0
	for i, name := range asked {
		at, there := names[strings.ToLower(name)]
		if !there {
			at = -1
		} else {
			found++
		}
		s.row.column[i] = at
	}
	if found == 0 {
		return fmt.Errorf("its first line names none of the columns %s", strings.Join(asked, ", "))
	}
	return nil
}

// next reads the next record that is not empty and can be read.
func (s *scanner) next() bool {
	for {
		line, ok := s.readLine()
		if !ok {
			return false
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		s.text = append(s.text[:0], line...)
		s.row.Line = s.line
		if open := s.split(); open && !s.join() {
			s.faults.Add(s.table+": a quotation does not end", fmt.Sprintf("line %d", s.row.Line))
			continue
		}
		return true
	}
}

// join adds the lines that a quotation goes on for. Where it does not end within
// mostJoined of them, they are read again as records of their own.
func (s *scanner) join() bool {
	var ahead []string
	for range mostJoined {
		line, ok := s.readLine()
		if !ok {
			break
		}
		ahead = append(ahead, string(line))
		s.text = append(append(s.text, '\n'), line...)
		if len(s.text) > longestLine {
			break
		}
		if !s.split() {
			return true
		}
	}
	s.line -= len(ahead)
	s.held = append(ahead, s.held...)
	return false
}

// readLine reads a line without its end. A line longer than longestLine is counted and
// left out.
func (s *scanner) readLine() ([]byte, bool) {
	if len(s.held) > 0 {
		line := s.held[0]
		s.held = s.held[1:]
		s.line++
		return []byte(line), true
	}
	var long []byte
	for {
		part, err := s.in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			if len(long) <= longestLine {
				long = append(long, part...)
			}
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			s.err = err
			return nil, false
		}
		if err != nil && len(part) == 0 && long == nil {
			return nil, false
		}
		s.line++
		if long != nil {
			part = append(long, part...)
			long = nil
		}
		if len(part) > longestLine {
			s.faults.Add(s.table+": a line is too long", fmt.Sprintf("line %d", s.line))
			if err != nil {
				return nil, false
			}
			continue
		}
		return bytes.TrimRight(part, "\r\n"), true
	}
}

// split parts s.text at its commas, and reports whether a quotation is still open at its
// end. Texts have no quotation marks around them; two within one are one.
func (s *scanner) split() (open bool) {
	s.row.fields = s.row.fields[:0]
	rest := s.text
	for {
		rest = bytes.TrimLeft(rest, " \t")
		var field []byte
		if len(rest) > 0 && rest[0] == '"' {
			field, rest, open = quoted(rest[1:])
			if open {
				return true
			}
		} else if at := bytes.IndexByte(rest, ','); at >= 0 {
			field, rest = rest[:at], rest[at:]
		} else {
			field, rest = rest, nil
		}
		s.row.fields = append(s.row.fields, bytes.TrimSpace(field))
		if len(rest) == 0 {
			return false
		}
		rest = rest[1:]
	}
}

// quoted reads a quotation up to the comma after it. What stands between its end and the
// comma belongs to it, as writers that do not double their quotation marks mean it.
func quoted(text []byte) (field, rest []byte, open bool) {
	doubled := false
	for i := 0; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		if i+1 < len(text) && text[i+1] == '"' {
			doubled = true
			i++
			continue
		}
		after := bytes.TrimLeft(text[i+1:], " \t")
		if len(after) == 0 || after[0] == ',' {
			field = text[:i]
			if doubled {
				field = bytes.ReplaceAll(field, []byte(`""`), []byte(`"`))
			}
			return field, after, false
		}
	}
	return nil, nil, true
}
