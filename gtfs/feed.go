// Package gtfs reads public transport timetables in the General Transit Feed
// Specification (https://gtfs.org/documentation/schedule/reference/): tables of
// comma-separated values in a zip archive or a folder. It reads a table as a stream and
// goes on after what is wrong in it, which it counts.
package gtfs

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Bounds of what is read. An archive that unpacks to more is cut there and counted.
const (
	mostEntries  = 10_000   // files in an archive
	mostPacked   = 200      // bytes of a table for each byte that it has in an archive, beyond alwaysRead
	alwaysRead   = 64 << 20 // bytes
	longestTable = 16 << 30 // bytes of one table, unpacked
	longestLine  = 1 << 18  // bytes of one record
	mostJoined   = 16       // lines that one quotation may go over
)

// Feed is an open feed. It is not safe for concurrent use.
type Feed struct {
	Name   string // of the file or folder, without ".zip"
	Faults Faults
	tables map[string]func() (io.ReadCloser, error)
	close  func() error
}

// Open opens the zip archive or folder at a path. A feed whose tables lie in a folder
// within the archive is opened all the same. Missing tables that every feed has
// (agency.txt, stops.txt, routes.txt, trips.txt, stop_times.txt, and one of calendar.txt
// and calendar_dates.txt) are an error that names them.
func Open(name string) (*Feed, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	f := &Feed{Name: strings.TrimSuffix(filepath.Base(name), ".zip"), tables: map[string]func() (io.ReadCloser, error){}, close: func() error { return nil }}
	xml := false
	if info.IsDir() {
		xml, err = f.openFolder(name)
	} else {
		xml, err = f.openArchive(name)
	}
	if xml && !f.Has("stops.txt") {
		err = errTransXChange
	}
	if err == nil {
		err = f.complete()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("timetable %s: %w", name, err), f.close())
	}
	return f, nil
}

var errTransXChange = errors.New("it is XML, such as TransXChange, which is not read: import the GTFS of the same timetable, which the Bus Open Data Service has for all operators of England, or convert the files to GTFS first")

// openFolder finds the tables of a folder, and whether there are files of XML.
func (f *Feed) openFolder(name string) (xml bool, err error) {
	entries, err := os.ReadDir(name)
	for _, e := range entries {
		if !e.IsDir() {
			xml = xml || isXML(e.Name())
			f.tables[strings.ToLower(e.Name())] = func() (io.ReadCloser, error) { return os.Open(filepath.Join(name, e.Name())) }
		}
	}
	return xml, err
}

func isXML(name string) bool { return strings.EqualFold(path.Ext(name), ".xml") }

// beginsAsXML reports whether a file is one of XML.
func beginsAsXML(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	head := make([]byte, 64)
	n, _ := io.ReadFull(file, head)
	return strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(string(head[:n]), "\ufeff")), "<")
}

// openArchive finds the tables of an archive, and whether there are files of XML.
func (f *Feed) openArchive(name string) (xml bool, err error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return beginsAsXML(name), fmt.Errorf("it is neither a folder nor a zip archive: %w", err)
	}
	f.close = z.Close
	if len(z.File) > mostEntries {
		return false, fmt.Errorf("the archive has %d files, and at most %d are read", len(z.File), mostEntries)
	}
	folder, found := "", false
	for _, e := range z.File {
		xml = xml || isXML(e.Name)
		if at := clean(e.Name); path.Base(at) == "stops.txt" && (!found || len(path.Dir(at)) < len(folder)) {
			folder, found = path.Dir(at), true
		}
	}
	for _, e := range z.File {
		if at := clean(e.Name); path.Dir(at) == folder && !e.FileInfo().IsDir() {
			f.tables[path.Base(at)] = func() (io.ReadCloser, error) { return unpack(e) }
		}
	}
	return xml, nil
}

// unpacked is a table of an archive, of which left bytes are read at most.
type unpacked struct {
	io.ReadCloser
	left int64
}

// unpack opens a table. It ends with an error where it unpacks to so much that it was made to
// fill a disk or a day.
func unpack(e *zip.File) (io.ReadCloser, error) {
	in, err := e.Open()
	return &unpacked{in, max(alwaysRead, int64(min(e.CompressedSize64, longestTable))*mostPacked)}, err
}

// Read reads on.
func (u *unpacked) Read(p []byte) (int, error) {
	if u.left <= 0 {
		return 0, fmt.Errorf("it unpacks to more than %d times what it has in the archive", mostPacked)
	}
	n, err := u.ReadCloser.Read(p[:min(int64(len(p)), u.left)])
	u.left -= int64(n)
	return n, err
}

// clean returns the name of an entry of an archive as it is compared. No file is written by it.
func clean(name string) string {
	return strings.ToLower(path.Clean("/" + strings.ReplaceAll(name, `\`, "/")))
}

func (f *Feed) complete() error {
	var missing []string
	for _, table := range required {
		if !f.Has(table) {
			missing = append(missing, table)
		}
	}
	if !f.Has("calendar.txt") && !f.Has("calendar_dates.txt") {
		missing = append(missing, "calendar.txt or calendar_dates.txt")
	}
	if len(missing) > 0 {
		return fmt.Errorf("it has no %s", strings.Join(missing, ", no "))
	}
	return nil
}

// Close closes the archive.
func (f *Feed) Close() error { return f.close() }

// Has reports whether the feed has a table, such as "frequencies.txt".
func (f *Feed) Has(table string) bool { return f.tables[table] != nil }

// Read calls row for every record of a table, with the named columns in their order; the
// record's texts are valid until row returns. A table that the feed has not is empty, and so is
// a file without a byte, which is counted in Faults; of a table that is required it is an error. A
// record that cannot be read is counted in Faults and left out.
func (f *Feed) Read(ctx context.Context, table string, columns []string, row func(r *Row)) (err error) {
	open := f.tables[table]
	if open == nil {
		return nil
	}
	in, err := open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", table, err)
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	err = f.Faults.read(ctx, in, table, columns, row)
	if errors.Is(err, errEmpty) && !slices.Contains(required, table) {
		f.Faults.Add(table+" is empty, without a first line", f.Name)
		return nil
	}
	return err
}

// required are the tables that a feed cannot be without.
var required = []string{"agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt"}

// ReadTable reads a table of comma-separated values that is in no feed, such as a register
// of stops, as Feed.Read does.
func ReadTable(ctx context.Context, in io.Reader, name string, columns []string, row func(r *Row)) (Faults, error) {
	var f Faults
	err := f.read(ctx, in, name, columns, row)
	return f, err
}

func (f *Faults) read(ctx context.Context, in io.Reader, table string, columns []string, row func(r *Row)) error {
	s := newScanner(&io.LimitedReader{R: in, N: longestTable}, f, table)
	if err := s.header(columns); err != nil {
		return fmt.Errorf("%s: %w", table, err)
	}
	for n := 1; s.next(); n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row(&s.row)
	}
	if s.err != nil { // of the archive: what came before it is kept
		f.Add(table+" is cut short", s.err.Error())
	}
	return ctx.Err()
}

// Faults counts what is wrong with a feed, by kind, and keeps the first example of each.
type Faults struct {
	Count   map[string]int64
	Example map[string]string
}

// mostKinds bounds the kinds of fault that are kept apart.
const mostKinds = 200

// Merge adds what is wrong with a feed of a name.
func (f *Faults) Merge(feed string, other Faults) {
	for kind, n := range other.Count {
		f.add(kind, feed+": "+other.Example[kind], n)
	}
}

// Add counts a fault of a kind.
func (f *Faults) Add(kind, example string) { f.add(kind, example, 1) }

func (f *Faults) add(kind, example string, n int64) {
	if f.Count == nil {
		f.Count, f.Example = map[string]int64{}, map[string]string{}
	}
	if _, there := f.Count[kind]; !there {
		if len(f.Count) >= mostKinds {
			kind = "other faults"
		}
		if len(example) > 120 {
			example = strings.ToValidUTF8(example[:120], "") + "…"
		}
		f.Example[kind] = example
	}
	f.Count[kind] += n
}
