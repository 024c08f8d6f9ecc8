package territory

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func (s *shelf) voice(name, content string) (*Manifest, bool, error) {
	s.Helper()
	path := filepath.Join(s.TempDir(), "pack")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		s.Fatal(err)
	}
	return PublishVoice(s.Context(), s.Store, s.publication(""), "town", path, name)
}

// A voice is a signed layer of the next version, is pulled with it, and stays when the region is
// published again.
func TestVoiceIsALayer(t *testing.T) {
	s := newShelf(t)
	if _, _, err := s.voice("voice-de-anna-opus.zip", "x"); err == nil || !strings.Contains(err.Error(), "territory build") {
		t.Errorf("without a territory: %v", err)
	}
	if m := s.publish(town(t, "first")); m.Format != 1 || m.Version != 1 {
		t.Errorf("%+v", m)
	}
	for i, c := range []struct {
		name, content string
		version       int64
		fresh         bool
	}{
		{"voice-de-anna-opus.zip", "one", 2, true},
		{"voice-de-anna-opus.zip", "one", 2, false},
		{"voice-de-anna-opus.zip", "two", 3, true},
		{"voice-cy-dewi-opus.zip", "three", 4, true},
	} {
		m, fresh, err := s.voice(c.name, c.content)
		if err != nil || m.Version != c.version || fresh != c.fresh || m.Format != 2 {
			t.Errorf("%d: %+v, %v, %v", i, m, fresh, err)
		}
	}
	dir := t.TempDir()
	pulled := func(want int64) {
		t.Helper()
		m, err := s.pull(dir).Run(t.Context())
		if err != nil || m.Version != want {
			t.Fatalf("%+v, %v", m, err)
		}
		for name, content := range map[string]string{"voice-de-anna-opus.zip": "two", "voice-cy-dewi-opus.zip": "three"} {
			if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != content {
				t.Errorf("%s: %q, %v", name, b, err)
			}
		}
	}
	pulled(4)
	if m, fresh, err := Publish(t.Context(), s.Store, s.publication(town(t, "first"))); err != nil || fresh || m.Version != 4 {
		t.Errorf("the same region: %+v, %v, %v", m, fresh, err)
	}
	if m := s.publish(town(t, "second")); m.Version != 5 || m.Format != 2 {
		t.Errorf("%+v", m)
	}
	pulled(5)
	for _, name := range []string{"", "voice.zip", "voice-de.pbf", "../voice-de.zip", "voice-../x.zip", "manifest.json", "voice-" + strings.Repeat("x", 200) + ".zip"} {
		if _, _, err := s.voice(name, "x"); err == nil {
			t.Errorf("%q is taken", name)
		}
	}
}
