package offline

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waygate/waygate/territory"
)

// TestStore takes the place that is set before the data folder.
func TestStore(t *testing.T) {
	for _, c := range [][3]string{{"s3://bucket/a", "/data", "s3://bucket/a"}, {"", "/data", filepath.Join("/data", "territories")}} {
		if got, err := Store(c[0], c[1]); err != nil || got != c[2] {
			t.Errorf("%q and %q: %q, %v", c[0], c[1], got, err)
		}
	}
}

// TestOpen refuses what is no address on the web, before it connects.
func TestOpen(t *testing.T) {
	for _, server := range []string{"maps.example.org", "ftp://maps.example.org", "https://"} {
		if _, err := (&remote{Server: server}).open(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "http://") {
			t.Errorf("%s: %v", server, err)
		}
	}
	if _, err := (&remote{Server: "https://maps.example.org", Key: "no key"}).open(t.Context(), ""); err == nil {
		t.Error("anything is a public key")
	}
}

// TestSigner creates a key in the data folder and reads it again.
func TestSigner(t *testing.T) {
	dir := t.TempDir()
	first, err := (&Publisher{}).signer(dir)
	if err != nil {
		t.Fatal(err)
	}
	again, err := (&Publisher{}).signer(dir)
	if err != nil || !first.Equal(again) {
		t.Errorf("another key the second time: %v", err)
	}
	if _, err := (&Publisher{Key: "no key"}).signer(dir); err == nil || !strings.Contains(err.Error(), "SVC_TERRITORY_KEY") {
		t.Errorf("%v", err)
	}
}

// TestList writes a row for each territory.
func TestList(t *testing.T) {
	var out bytes.Buffer
	x := &territory.Index{Territories: make([]territory.Entry, 1)}
	x.Territories[0].ID, x.Territories[0].Bytes = "town", 2_500_000
	if err := listTerritories(&out, x); err != nil || !strings.Contains(out.String(), "town") || !strings.Contains(out.String(), "unknown  2.5") {
		t.Errorf("%v, %s", err, out.String())
	}
}

// TestServed has a folder without a region that this build serves.
func TestServed(t *testing.T) {
	dir := t.TempDir()
	manifest := `{"format":1,"id":"old","sections":[{"name":"graph","file":"graph.section","version":1,"size":4,"sha256":""}]}`
	for name, text := range map[string]string{"region.json": manifest, "graph.section": "old!"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := served(dir); !strings.HasPrefix(got, "this build does not serve it; its publisher") || !strings.Contains(got, "section graph has the old format version 1") {
		t.Error(got)
	}
}
