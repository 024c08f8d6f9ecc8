package feed

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// SniffedFormat is the format that the beginning of a document suggests.
type SniffedFormat int

// The first bytes that a document may have.
const (
	Text SniffedFormat = iota // CSV, or anything else
	JSON
	XML
	HTML
)

// Sniff returns what the document begins like.
func (in *Input) Sniff() SniffedFormat {
	start := bytes.TrimLeft(in.Reads(512), " \t\r\n")
	lower := bytes.ToLower(start)
	switch {
	case bytes.HasPrefix(lower, []byte("<!doctype html")), bytes.HasPrefix(lower, []byte("<html")):
		return HTML
	case bytes.HasPrefix(start, []byte("<")):
		return XML
	case bytes.HasPrefix(start, []byte("{")), bytes.HasPrefix(start, []byte("[")):
		return JSON
	}
	return Text
}

// ErrPage is returned for a document that is a web page, which many servers send with
// status 200 where they are down.
var ErrPage = errors.New("it is a web page and no data")

// Walk says how to treat the members of JSON objects on the way to a list of
// records.
type Walk struct {
	Way   func(name string) bool                       // members on the way that hold objects, or lists of them, with a list of records each; nil for none
	Lists []string                                     // members that are, or lead to, the list: "data", "features"
	Each  func(raw json.RawMessage) error              // is called for every record
	Other func(name string, raw json.RawMessage) error // is called for every other member; may be nil
}

// EachJSON reads a list of records as a stream: one that stands at the top, or
// under names on the way down. It holds one record at a time.
func EachJSON(in *Input, w Walk) error {
	if in.Sniff() == HTML {
		return ErrPage
	}
	d := NewJSON(in)
	found, err := w.value(in, d, 0, false)
	if err != nil {
		return fmt.Errorf("it is no JSON as expected, at byte %d: %w", d.InputOffset(), cause(err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		if err == nil {
			err = errors.New("it goes on after its end")
		}
		return cause(err)
	}
	if !found {
		return fmt.Errorf("it has no list of records, neither at the top nor under %s", strings.Join(w.Lists, ", "))
	}
	return nil
}

// cause replaces the errors of a document that was cut short by one that says so.
func cause(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return errors.New("it broke off")
	}
	return err
}

const maxWalk = 16 // levels of objects on the way to a list

// value reads a value; on says that it is one on the way.
func (w *Walk) value(in *Input, d *JSONReader, depth int, on bool) (found bool, err error) {
	if depth > maxWalk {
		return false, fmt.Errorf("its objects are more than %d deep", maxWalk)
	}
	t, err := d.Token()
	if err != nil {
		return false, err
	}
	switch t {
	case json.Delim('['):
		for on && d.More() {
			there, err := w.value(in, d, depth+1, false)
			if err != nil {
				return false, err
			}
			found = found || there
		}
		if on {
			_, err = d.Token()
			return found, err
		}
		for d.More() {
			var raw json.RawMessage
			if err := d.Decode(&raw); err != nil {
				return false, err
			}
			if err := in.Report.record(); err != nil {
				return false, err
			}
			if err := w.Each(raw); err != nil {
				return false, err
			}
		}
		_, err = d.Token()
		return true, err
	case json.Delim('{'):
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return false, err
			}
			key, _ := name.(string)
			if on := w.Way != nil && w.Way(key); on || slices.Contains(w.Lists, key) {
				there, err := w.value(in, d, depth+1, on)
				if err != nil {
					return false, err
				}
				found = found || there
				continue
			}
			var raw json.RawMessage
			if err := d.Decode(&raw); err != nil {
				return false, err
			}
			if w.Other != nil {
				if err := w.Other(key, raw); err != nil {
					return false, err
				}
			}
		}
		_, err = d.Token()
		return found, err
	}
	return false, nil // null, or a value where a list is expected
}

// Row is a record of a table. It is good until the next is read.
type Row struct {
	columns map[string]int
	fields  []string
	Line    int
}

// Get returns the field of the first of these columns that the table has and that
// is not empty, without spaces around. It may be longer than MaxText, as those of
// columns are that nobody reads.
func (r Row) Get(columns ...string) string {
	for _, c := range columns {
		if i, ok := r.columns[c]; ok && i < len(r.fields) {
			if v := strings.TrimSpace(r.fields[i]); v != "" {
				return v
			}
		}
	}
	return ""
}

// Has reports whether the table has a column.
func (r Row) Has(column string) bool { _, ok := r.columns[column]; return ok }

// Columns returns the names of all columns.
func (r Row) Columns() map[string]int { return r.columns }

// swallowed reports whether a field begins with a quotation mark that is none: it goes
// on to the next one, and what follows there is another record's.
func swallowed(field string) bool { return len(field) > MaxText && strings.Contains(field, "\n") }

// maxColumns is how many columns a table may have.
const maxColumns = 1000

// EachRow reads a table whose first line names the columns, in any case, as a
// stream. Fields are separated by commas, semicolons, tabs or bars, whichever the
// first line has most of. A line that is no record is rejected and counted.
func EachRow(in *Input, each func(Row) error) error {
	switch in.Sniff() {
	case HTML:
		return ErrPage
	case JSON, XML:
		return errors.New("it is no table")
	}
	head, _, _ := bytes.Cut(in.Reads(16<<10), []byte("\n"))
	comma := ','
	for _, c := range ";\t|" {
		if bytes.Count(head, []byte(string(c))) > bytes.Count(head, []byte(string(comma))) {
			comma = c
		}
	}
	r := NewTable(in)
	r.Comma = comma
	names, err := r.Read()
	if err != nil {
		return fmt.Errorf("it is no table: %w", cause(err))
	}
	if len(names) > maxColumns {
		return fmt.Errorf("its first line names %d columns, the limit is %d", len(names), maxColumns)
	}
	if len(names) < 2 {
		return errors.New("it is no table: its first line names fewer than two columns")
	}
	columns := map[string]int{}
	for i, n := range names {
		n = strings.ToLower(strings.TrimSpace(strings.TrimPrefix(n, string(byteOrderMark))))
		if _, repeated := columns[n]; !repeated {
			columns[n] = i
		}
	}
	for {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if over := in.Report.record(); over != nil {
			return over
		}
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			in.Report.Reject("no record of the table", "line %d: %v", bad.Line, bad.Err)
			continue
		}
		if err != nil {
			return err
		}
		line, _ := r.FieldPos(0)
		if slices.ContainsFunc(fields, swallowed) {
			in.Report.Reject("a quotation swallows the records after it", "line %d", line)
			continue
		}
		if err := each(Row{columns, fields, line}); err != nil {
			return err
		}
	}
}
