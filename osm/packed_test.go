package osm

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// gzipBytes packs b as two members, as pigz and joined files have them.
func gzipBytes(tb testing.TB, b []byte) []byte {
	tb.Helper()
	var out bytes.Buffer
	for _, part := range [][]byte{b[:len(b)/2], b[len(b)/2:]} {
		z := gzip.NewWriter(&out)
		if _, err := z.Write(part); err != nil {
			tb.Fatal(err)
		}
		if err := z.Close(); err != nil {
			tb.Fatal(err)
		}
	}
	return out.Bytes()
}

// townBzip2 is town as XML, packed by bzip2 as two streams.
func townBzip2(tb testing.TB) []byte {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "town.osm.bz2"))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// The contents of a file decide what it is, not its name.
func TestPackings(t *testing.T) {
	want := town()
	for name, b := range packings(t) {
		for _, name := range []string{name, "extract"} {
			got, _, err := load(t, file(t, name, b), Options{})
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got %+v, %v", name, got, err)
			}
		}
	}
}
