package gtfs_test

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/gtfs"
)

// table reads a table's columns a, b and c.
func table(t *testing.T, text string) (rows []string, f gtfs.Faults) {
	t.Helper()
	f, err := gtfs.ReadTable(t.Context(), strings.NewReader(text), "t", []string{"a", "b", "c"}, func(r *gtfs.Row) {
		rows = append(rows, r.Text(0)+"|"+r.Text(1)+"|"+r.Text(2))
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows, f
}

func TestRows(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
		bad  int64
	}{
		"plain":                                    {"a,b,c\n1,2,3\n4,5,6\n", []string{"1|2|3", "4|5|6"}, 0},
		"other order, other columns":               {"c,x,b,a\n3,9,2,1\n", []string{"1|2|3"}, 0},
		"a mark of byte order, carriage returns":   {"\ufeffa,b,c\r\n1,2,3\r\n", []string{"1|2|3"}, 0},
		"names in capitals and between spaces":     {" A , b ,C\n1, 2 ,3", []string{"1|2|3"}, 0},
		"empty lines":                              {"a,b,c\n\n1,2,3\n  \n", []string{"1|2|3"}, 0},
		"missing columns at the end":               {"a,b,c\n1\n", []string{"1||"}, 0},
		"more columns than names":                  {"a,b,c\n1,2,3,4\n", []string{"1|2|3"}, 0},
		"no column c":                              {"a,b\n1,2\n", []string{"1|2|"}, 0},
		"a comma in a quotation":                   {"a,b,c\n\"1,1\",2,3\n", []string{"1,1|2|3"}, 0},
		"a doubled quotation mark":                 {"a,b,c\n\"say \"\"no\"\"\",2,3\n", []string{"say \"no\"|2|3"}, 0},
		"a quotation mark that is not doubled":     {"a,b,c\n\"The \"Inn\" stop\",2,3\n", []string{"The \"Inn\" stop|2|3"}, 0},
		"a quotation mark within":                  {"a,b,c\n5\" pipe,2,3\n", []string{"5\" pipe|2|3"}, 0},
		"a line end in a quotation":                {"a,b,c\n\"1\n1\",2,3\n4,5,6\n", []string{"1\n1|2|3", "4|5|6"}, 0},
		"a quotation that does not end":            {"a,b,c\n1,2,3\n\"4,5,6\n7,8,9\n10,11,12\n", []string{"1|2|3", "7|8|9", "10|11|12"}, 1},
		"one that does not end, in a long table":   {"a,b,c\n\"x,1\n" + strings.Repeat("1,2,3\n", 100), slices.Repeat([]string{"1|2|3"}, 100), 1},
		"a line that is too long":                  {"a,b,c\n" + strings.Repeat("x", 1<<19) + "\n1,2,3\n", []string{"1|2|3"}, 1},
		"bytes that are no UTF-8":                  {"a,b,c\n\xff,2,3\n", []string{"\ufffd|2|3"}, 0},
		"a name twice: the first":                  {"a,a,c\n1,2,3\n", []string{"1||3"}, 0},
		"no end of line at the end, an empty last": {"a,b,c\n1,2,", []string{"1|2|"}, 0},
	} {
		rows, f := table(t, c.text)
		bad := int64(0)
		for _, n := range f.Count {
			bad += n
		}
		if !slices.Equal(rows, c.want) || bad != c.bad {
			t.Errorf("%s: %q, %d bad; want %q, %d", name, rows, bad, c.want, c.bad)
		}
	}
	for _, text := range []string{"", "\n\n", "x,y\n1,2\n"} {
		if _, err := gtfs.ReadTable(t.Context(), strings.NewReader(text), "t", []string{"a"}, func(*gtfs.Row) {}); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

func TestTime(t *testing.T) {
	for text, want := range map[string]int{
		"00:00:00": 0, "8:05:09": 29109, "08:05:09": 29109, "24:00:00": 86400, "27:35:00": 99300, "100:00:00": 360000,
		"": -1, "8:05": -1, "08:60:00": -1, "27:61:00": -1, "08:00:60": -1, "-1:00:00": -1, "8:0a:00": -1, "8:00:00:00": -1, "::": -1, "400:00:00": -1, "99999:00:00": -1,
	} {
		got, ok := gtfs.Time([]byte(text))
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func TestDate(t *testing.T) {
	for text, want := range map[string]string{"20240229": "2024-02-29", "20230229": "", "2024-2-9": "", "": "", "19700101": "1970-01-01"} {
		d, ok := gtfs.ReadDate([]byte(text))
		if ok != (want != "") || ok && d.String() != want {
			t.Errorf("%q: %v %v", text, d, ok)
		}
		if at, err := time.Parse(time.DateOnly, want); err == nil && (int(at.Weekday())+6)%7 != d.Weekday() {
			t.Errorf("%s is weekday %d", want, d.Weekday())
		}
	}
}

// Times count from noon minus twelve hours, which differs from midnight where clocks change.
func TestBegin(t *testing.T) {
	zone, err := time.LoadLocation("Europe/London")
	if err != nil {
		t.Fatal(err)
	}
	for day, want := range map[string]string{"20240330": "2024-03-30T00:00:00Z", "20240331": "2024-03-30T23:00:00Z", "20240401": "2024-04-01T00:00:00+01:00", "20241027": "2024-10-27T01:00:00+01:00"} {
		d, _ := gtfs.ReadDate([]byte(day))
		if got := d.Begin(zone).Format(time.RFC3339); got != want {
			t.Errorf("%s begins at %s, want %s", day, got, want)
		}
		if got := gtfs.DateOf(d.Begin(zone).Add(13 * time.Hour)); got != d {
			t.Errorf("%s: noon is of %s", day, got)
		}
	}
}

var needed = map[string]string{
	"agency.txt": "agency_id\n1\n", "stops.txt": "stop_id\n1\n", "routes.txt": "route_id\n1\n", "trips.txt": "trip_id\n1\n", "stop_times.txt": "trip_id\n1\n", "calendar.txt": "service_id\n1\n",
}

// packed writes an archive of tables under a folder.
func packed(t *testing.T, folder string, tables map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "feed.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for name, text := range tables {
		w, err := z.Create(folder + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOpen(t *testing.T) {
	for _, folder := range []string{"", "gtfs/", "../../", "/abs/", `a\b\`} {
		f, err := gtfs.Open(packed(t, folder, needed))
		if err != nil {
			t.Errorf("tables in %q: %v", folder, err)
			continue
		}
		n := 0
		if err := f.Read(t.Context(), "stops.txt", []string{"stop_id"}, func(*gtfs.Row) { n++ }); err != nil || n != 1 || f.Name != "feed" {
			t.Errorf("tables in %q: %d rows of %s, %v", folder, n, f.Name, err)
		}
		if err := f.Read(t.Context(), "frequencies.txt", []string{"trip_id"}, func(*gtfs.Row) { n++ }); err != nil || n != 1 || f.Has("frequencies.txt") {
			t.Errorf("a table that is not there: %d, %v", n, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	dir := t.TempDir()
	for name, text := range needed {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if f, err := gtfs.Open(dir); err != nil {
		t.Error(err)
	} else if err := f.Close(); err != nil {
		t.Error(err)
	}
	for name := range needed {
		less := map[string]string{}
		for other, text := range needed {
			if other != name {
				less[other] = text
			}
		}
		if _, err := gtfs.Open(packed(t, "", less)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
	if _, err := gtfs.Open(filepath.Join(dir, "agency.txt")); err == nil || !strings.Contains(err.Error(), "neither a folder nor a zip") {
		t.Errorf("a text file: %v", err)
	}
	if _, err := gtfs.Open(filepath.Join(dir, "none")); err == nil {
		t.Error("a file that is not there was opened")
	}
}

// An archive that is cut in the middle of a table gives what comes before.
func TestCutArchive(t *testing.T) {
	tables := map[string]string{}
	for name, text := range needed {
		tables[name] = text
	}
	var rows strings.Builder
	rows.WriteString("stop_id,stop_name\n")
	for i := range 50_000 {
		fmt.Fprintf(&rows, "%d,Stop %d\n", i, i*7919%50_000)
	}
	tables["stops.txt"] = rows.String()
	path := packed(t, "", tables)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range r.File {
		if e.Name == "stops.txt" {
			at, err := e.DataOffset()
			if err != nil {
				t.Fatal(err)
			}
			data[at+int64(e.CompressedSize64)/2] ^= 0xff
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := gtfs.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = f.Read(t.Context(), "stops.txt", []string{"stop_id"}, func(*gtfs.Row) { n++ })
	if err != nil || f.Faults.Count["stops.txt is cut short"] != 1 {
		t.Errorf("%v %v after %d rows", err, f.Faults, n)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TransXChange is not read, and the error says so whatever it is packed in.
func TestTransXChange(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "bus.xml")
	if err := os.WriteFile(file, []byte("\ufeff<?xml version=\"1.0\"?><TransXChange/>"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, dir, packed(t, "a/", map[string]string{"bus.XML": "<TransXChange/>"})} {
		if _, err := gtfs.Open(path); err == nil || !strings.Contains(err.Error(), "TransXChange, which is not read") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if f, err := gtfs.Open(packed(t, "", map[string]string{"stray.xml": "<a/>", "agency.txt": "a\n1\n", "stops.txt": "a\n1\n", "routes.txt": "a\n1\n", "trips.txt": "a\n1\n", "stop_times.txt": "a\n1\n", "calendar.txt": "a\n1\n"})); err != nil {
		t.Errorf("a feed with a stray file: %v", err)
	} else if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// zeros gives so many bytes of a repeated record.
type zeros struct{ left int }

func (z *zeros) Read(p []byte) (int, error) {
	n := min(len(p), z.left)
	for i := range n {
		p[i] = "1,2\n"[i%4]
	}
	if z.left -= n; z.left <= 0 {
		return n, io.EOF
	}
	return n, nil
}

// A table that is made to unpack to a thousand times its size is cut.
func TestBomb(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bomb.zip")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(file)
	for name, text := range needed {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if name == "stops.txt" {
			if _, err := io.Copy(w, &zeros{96 << 20}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := errors.Join(z.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	f, err := gtfs.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := f.Read(t.Context(), "stops.txt", []string{"stop_id"}, func(*gtfs.Row) { n++ }); err != nil {
		t.Fatal(err)
	}
	if f.Faults.Count["stops.txt is cut short"] != 1 || n < 1_000_000 || n > 17_000_000 {
		t.Errorf("%d rows, %v", n, f.Faults)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// Of a million rows one is bad: it is left out and counted.
func TestMillionRows(t *testing.T) {
	row := "1,2,3\n"
	text := "a,b,c\n" + strings.Repeat(row, 500_000) + "\"1,2,3\n" + strings.Repeat(row, 500_000)
	n := 0
	f, err := gtfs.ReadTable(t.Context(), strings.NewReader(text), "t", []string{"a", "c"}, func(r *gtfs.Row) {
		if string(r.Bytes(0)) == "1" && string(r.Bytes(1)) == "3" {
			n++
		}
	})
	if err != nil || n != 1_000_000 || f.Count["t: a quotation does not end"] != 1 || f.Example["t: a quotation does not end"] != "line 500002" {
		t.Errorf("%d rows, %v, %v", n, f, err)
	}
}

func TestReadStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	_, err := gtfs.ReadTable(ctx, strings.NewReader("a\n"+strings.Repeat("1\n", 100_000)), "t", []string{"a"}, func(*gtfs.Row) {
		if n++; n == 10 {
			cancel()
		}
	})
	if err == nil || n > 5000 {
		t.Errorf("%d rows, %v", n, err)
	}
}

func FuzzTable(f *testing.F) {
	for _, s := range []string{"a,b,c\n1,2,3\n", "\ufeffa,b\r\n\"x\"\"y\",\n", "a\n\"\n\"\n", "a,b\n\"1,2\n3,4\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := 0
		_, _ = gtfs.ReadTable(t.Context(), strings.NewReader(text), "t", []string{"a", "b"}, func(r *gtfs.Row) {
			if r.Line <= lines {
				t.Fatalf("line %d after %d", r.Line, lines)
			}
			lines = r.Line
			_, _ = r.Text(0), r.Text(1)
			if n, ok := r.Int(0, 9, 3); n < 0 || n > 9 || !ok && n != 3 {
				t.Fatalf("%d %v", n, ok)
			}
		})
		if lines > strings.Count(text, "\n")+1 {
			t.Fatalf("%d lines of %q", lines, text)
		}
	})
}
