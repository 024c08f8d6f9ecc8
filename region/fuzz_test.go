package region_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/waygate/waygate/region"
)

// FuzzManifest: a folder is opened by a manifest or an error is given; what is
// read is sealed and read again alike, and names no file outside the folder.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"format":1,"id":"x","name":"X","built":"2026-11-22T10:00:00Z","sections":[{"name":"graph","file":"graph-0.section","version":1,"size":3,"sha256":"ab"}],"counts":{"nodes":1},"facts":{"a":"b"},"sources":[{"name":"x.pbf","size":1,"timestamp":null}]}`))
	f.Add([]byte(`{"format":1,"sections":[{"name":"a","file":"../x"},{"name":"a","file":"y"}]}`))
	f.Add([]byte(`{"format":1,"sections":[{"name":"a","file":"graph-0.section","size":-1},{"name":"b","file":"graph-0.section","size":9223372036854775807}]}`))
	f.Add([]byte(`{"format":1,"bounds":[1,2,3,4],"osm_timestamp":"never"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		for name, data := range map[string][]byte{region.ManifestName: data, "graph-0.section": []byte("abc")} {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if r, err := region.Open(dir); err == nil {
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
		m, err := region.ReadManifest(dir)
		if err != nil {
			return
		}
		for _, s := range m.Sections {
			if filepath.Dir(filepath.Join(dir, s.File)) != dir {
				t.Errorf("section %s names %q", s.Name, s.File)
			}
		}
		again := t.TempDir()
		if err := region.Seal(again, m); err != nil {
			return // a time or a number that JSON cannot carry
		}
		back, err := region.ReadManifest(again)
		if err != nil || !reflect.DeepEqual(back, m) {
			t.Errorf("%+v is read again as %+v, %v", m, back, err)
		}
	})
}
