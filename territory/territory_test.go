package territory

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const sum = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func TestReadManifest(t *testing.T) {
	kind := func(kind, file, addr, bytes string) string {
		return `{"kind":"` + kind + `","file":"` + file + `","addr":"` + addr + `","bytes":` + bytes + `}`
	}
	layer := func(file, addr, bytes string) string { return kind(KindGraph, file, addr, bytes) }
	about := kind(KindRegion, "region.json", sum, "5")
	whole := func(layers ...string) string {
		return `{"format":1,"id":"a-b","version":3,"layers":[` + strings.Join(append(layers, about), ",") + `]}`
	}
	const end = "-0123456789ab.section"
	many := make([]string, 0, 1001)
	for i := range 1001 {
		many = append(many, layer(fmt.Sprintf("a%d", i)+end, sum, "1"))
	}
	for text, ok := range map[string]bool{
		whole():                             true,
		whole(layer("graph"+end, sum, "5")): true,
		whole(layer("a"+end, sum, "5"), layer("b"+end, sum, "5")): true,
		whole(kind(KindTiles, "basemap"+end, sum, "5")):           true,
		whole(kind(KindPlaces, "places"+end, sum, "5")):           true,
		whole(kind(KindGlyphs, "glyphs.zip", sum, "5")):           true,
		whole(many...): false,
		// Twice, or in another case, which is the same file on many machines.
		whole(layer("a"+end, sum, "5"), layer("a"+end, sum, "5")): false,
		whole(layer("A"+end, sum, "5")):                           false,
		whole(kind(KindRegion, "REGION.JSON", sum, "5")):          false,
		whole(about): false,
		// Elsewhere.
		whole(layer("../a"+end, sum, "5")):                   false,
		whole(layer("/a"+end, sum, "5")):                     false,
		whole(layer("a/b"+end, sum, "5")):                    false,
		whole(layer(`a\\b`+end, sum, "5")):                   false,
		whole(layer(`C:a`+end, sum, "5")):                    false,
		whole(layer(`a\u0000b`+end, sum, "5")):               false,
		whole(layer(`a`+end+`\n`, sum, "5")):                 false,
		whole(layer(".hidden"+end, sum, "5")):                false,
		whole(layer("", sum, "5")):                           false,
		whole(layer("con"+end, sum, "5")):                    true, // no name of a device: that ends before the hyphen
		whole(layer("a."+"section", sum, "5")):               false,
		whole(layer(strings.Repeat("a", 200)+end, sum, "5")): false,
		// In the place of another kind.
		whole(layer("region.json", sum, "5")):                false,
		whole(kind(KindTiles, "region.json", sum, "5")):      false,
		whole(kind(KindGlyphs, "region.json", sum, "5")):     false,
		whole(layer("region.previous.json", sum, "5")):       false,
		whole(layer("territory.json", sum, "5")):             false,
		whole(layer("territory.json.sig", sum, "5")):         false,
		whole(layer("examples.json", sum, "5")):              false,
		whole(layer("glyphs.zip", sum, "5")):                 false,
		whole(kind(KindGlyphs, "graph"+end, sum, "5")):       false,
		whole(layer("basemap"+end, sum, "5")):                false,
		whole(kind(KindTiles, "graph"+end, sum, "5")):        false,
		whole(kind(KindPlaces, "graph"+end, sum, "5")):       false,
		whole(kind("", "graph"+end, sum, "5")):               false,
		whole(kind("other", "graph"+end, sum, "5")):          false,
		whole(layer("graph-ffffffffffff.section", sum, "5")): false, // of another hash
		whole(layer("graph-0123.section", sum, "5")):         false,
		// Sizes and hashes.
		whole(layer("a"+end, sum[1:], "5")):                         false,
		whole(layer("a"+end, strings.ToUpper(sum), "5")):            false,
		whole(layer("a"+end, sum, "0")):                             false,
		whole(layer("a"+end, sum, "-5")):                            false,
		whole(layer("a"+end, sum, strconv.Itoa(maxLayer))):          true,
		whole(layer("a"+end, sum, strconv.Itoa(maxLayer+1))):        false,
		whole(layer("a"+end, sum, "9223372036854775807")):           false,
		whole(layer("a"+end, sum, "1e300")):                         false,
		strings.Replace(whole(), `"bytes":5`, `"bytes":4194305`, 1): false,
		strings.Replace(whole(), about, "", 1):                      false,
		strings.Replace(whole(), `"format":1`, `"format":2`, 1):     true,
		strings.Replace(whole(), `"format":1`, `"format":3`, 1):     false,
		strings.Replace(whole(), `"format":1`, `"format":0`, 1):     false,
		strings.Replace(whole(), `"id":"a-b"`, `"id":"../b"`, 1):    false,
		strings.Replace(whole(), `"version":3`, `"version":0`, 1):   false,
		whole()[1:]: false,
	} {
		if _, err := ReadManifest([]byte(text)); (err == nil) != ok {
			t.Errorf("%.200s: %v", text, err)
		}
	}
}

// TestNames checks where the files of a store are: an address that changes is lost.
func TestNames(t *testing.T) {
	for got, want := range map[string]string{
		ManifestName("wales", 1204):                "wales/1204/manifest.json",
		SignatureName(ManifestName("wales", 1204)): "wales/1204/manifest.json.sig",
		LayerName(sum):                             "layers/" + sum,
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestReadIndex(t *testing.T) {
	entry := `{"id":"a","version":1,"manifest_sha256":"` + sum + `"}`
	for text, ok := range map[string]bool{
		`{"format":1,"territories":[` + entry + `]}`: true,
		`{"format":1}`: true,
		`{"format":1,"territories":[` + entry + `,` + entry + `]}`:                     false,
		`{"format":1,"territories":[` + strings.Replace(entry, `"a"`, `"A"`, 1) + `]}`: false,
		`{"format":1,"territories":[` + strings.Replace(entry, `:1`, `:0`, 1) + `]}`:   false,
		`{"format":1,"territories":[` + strings.Replace(entry, sum, "00", 1) + `]}`:    false,
		`{"format":9}`: false, `[]`: false, ``: false,
	} {
		if _, err := ReadIndex([]byte(text)); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestSignatures(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "territory.key")
	key, err := LoadKey(path)
	if err != nil {
		t.Fatal(err)
	}
	again, err := LoadKey(path)
	if err != nil || !again.Equal(key) {
		t.Fatalf("the key that was made is not the one read: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	public := key.Public().(ed25519.PublicKey)
	document := []byte("a document")
	signature := Sign(key, document)
	if err := Verify(public, document, signature); err != nil {
		t.Error(err)
	}
	other, err := LoadKey(filepath.Join(t.TempDir(), "other.key"))
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"another document": Verify(public, []byte("A document"), signature),
		"another key":      Verify(other.Public().(ed25519.PublicKey), document, signature),
		"no signature":     Verify(public, document, nil),
		"a cut signature":  Verify(public, document, signature[:40]),
		"no base64 at all": Verify(public, document, []byte("!")),
	} {
		if !errors.Is(err, ErrSignature) {
			t.Errorf("%s: %v", name, err)
		}
	}
	pem, err := encodePublic(public)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(pem), PublicText(public), PublicText(public) + "\n"} {
		if got, err := ParsePublic([]byte(text)); err != nil || !got.Equal(public) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadKey(path); err == nil || !strings.Contains(err.Error(), "0640") {
		t.Errorf("a key that others may read: %v", err)
	}
}

func TestTrusted(t *testing.T) {
	a, b := make(ed25519.PublicKey, 32), make(ed25519.PublicKey, 32)
	b[0] = 1
	for _, c := range []struct {
		known, announced, want ed25519.PublicKey
	}{{nil, nil, nil}, {nil, a, a}, {a, a, a}, {a, nil, a}, {a, b, nil}} {
		got, err := Trusted(c.known, c.announced)
		if (err == nil) != (c.want != nil) || c.want != nil && !got.Equal(c.want) {
			t.Errorf("%v and %v: %v, %v", c.known, c.announced, got, err)
		}
	}
}

func FuzzDocuments(f *testing.F) {
	f.Add([]byte(`{"format":1,"id":"a","version":1,"layers":[{"kind":"region","file":"region.json","addr":"` + sum + `","bytes":1},{"kind":"graph","file":"a-0123456789ab.section","addr":"` + sum + `","bytes":1}]}`))
	f.Add([]byte(`{"format":1,"territories":[{"id":"a","version":1,"manifest_sha256":"` + sum + `"}]}`))
	f.Add([]byte("-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAhaFwdGwBzD0EWGYZFT3Sx9THb/CQx2wTQ6ld0tRMgnU=\n-----END PUBLIC KEY-----\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := ReadManifest(data); err == nil {
			for _, l := range m.Layers {
				if l.File != filepath.Base(l.File) || strings.HasPrefix(l.File, ".") || strings.Contains(l.File, `\\`) || (l.File == "region.json") != (l.Kind == KindRegion) {
					t.Fatalf("a layer leads elsewhere: %q", l.File)
				}
			}
		}
		_, _ = ReadIndex(data)
		if key, err := ParsePublic(data); err == nil && len(key) != ed25519.PublicKeySize {
			t.Fatalf("a key of %d bytes", len(key))
		}
		_, _ = ParseKey(data)
	})
}
