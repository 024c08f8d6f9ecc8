package importer

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/waygate/waygate/region"
)

// FuzzState: whatever lies in the place of a stage's record, it is no record, or
// one of a file within the region's folder that is what it says.
func FuzzState(f *testing.F) {
	whole, err := json.Marshal(record{Key: "k", Output: &region.SectionInfo{Name: "graph", File: "graph-0.section", Version: 1, Size: 3, SHA256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	for _, text := range []string{"", "{}", "null", "[]", `{"key":"k"}`, `{"key":"k","output":null,"finding":{"counts":{"x":1e99}}}`, `{"key":"k","output":{"name":"graph","file":"../graph-0.section"}}`} {
		f.Add([]byte(text))
	}
	s := stage{name: "graph", section: "graph", format: 1}
	f.Fuzz(func(t *testing.T, data []byte) {
		b := &stageRunner{dir: t.TempDir()}
		b.work = filepath.Join(b.dir, workFolder)
		if err := os.Mkdir(b.work, 0o755); err != nil {
			t.Fatal(err)
		}
		for path, data := range map[string][]byte{filepath.Join(b.work, "graph.json"): data, filepath.Join(b.dir, "graph-0.section"): []byte("abc")} {
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		r, ok := b.load("graph")
		if !ok || !s.isCurrent(r) || !b.intact(t.Context(), r) {
			return
		}
		if r.Output == nil || r.Output.File != "graph-0.section" || r.Output.Size != 3 {
			t.Errorf("%s is taken for the record of a stage that made %+v", data, r.Output)
		}
		if err := b.save("graph", r); err != nil {
			t.Fatal(err)
		}
		if again, ok := b.load("graph"); !ok || *again.Output != *r.Output || again.Key != r.Key {
			t.Errorf("%+v is read again as %+v", r, again)
		}
	})
}
