package territory

import (
	"crypto/ed25519"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const sum = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func TestReadManifest(t *testing.T) {
	layer := func(file, addr, bytes string) string {
		return `{"kind":"graph","file":"` + file + `","addr":"` + addr + `","bytes":` + bytes + `}`
	}
	whole := func(layers ...string) string {
		return `{"format":1,"id":"a-b","version":3,"layers":[` + strings.Join(layers, ",") + `]}`
	}
	for text, ok := range map[string]bool{
		whole(layer("graph-1.section", sum, "5")):                 true,
		whole(layer("a", sum, "5"), layer("b", sum, "5")):         true,
		whole(layer("a", sum, "5"), layer("a", sum, "5")):         false,
		whole(layer("../a", sum, "5")):                            false,
		whole(layer("a/b", sum, "5")):                             false,
		whole(layer(".hidden", sum, "5")):                         false,
		whole(layer("", sum, "5")):                                false,
		whole(layer("a", sum[1:], "5")):                           false,
		whole(layer("a", strings.ToUpper(sum), "5")):              false,
		whole(layer("a", sum, "0")):                               false,
		strings.Replace(whole(), `"format":1`, `"format":2`, 1):   false,
		strings.Replace(whole(), `"format":1`, `"format":0`, 1):   false,
		strings.Replace(whole(), `"id":"a-b"`, `"id":"../b"`, 1):  false,
		strings.Replace(whole(), `"version":3`, `"version":0`, 1): false,
		whole()[1:]: false,
	} {
		if _, err := ReadManifest([]byte(text)); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestReadIndex(t *testing.T) {
	entry := `{"id":"a","version":1,"manifest_sha256":"` + sum + `"}`
	for text, ok := range map[string]bool{
		`{"format":1,"territories":[` + entry + `]}`: true,
		`{"format":1}`: true,
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
		known, told, want ed25519.PublicKey
	}{{nil, nil, nil}, {nil, a, a}, {a, a, a}, {a, nil, a}, {a, b, nil}} {
		got, err := Trusted(c.known, c.told)
		if (err == nil) != (c.want != nil) || c.want != nil && !got.Equal(c.want) {
			t.Errorf("%v and %v: %v, %v", c.known, c.told, got, err)
		}
	}
}

func FuzzDocuments(f *testing.F) {
	f.Add([]byte(`{"format":1,"id":"a","version":1,"layers":[{"kind":"graph","file":"a","addr":"` + sum + `","bytes":1}]}`))
	f.Add([]byte(`{"format":1,"territories":[{"id":"a","version":1,"manifest_sha256":"` + sum + `"}]}`))
	f.Add([]byte("-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAhaFwdGwBzD0EWGYZFT3Sx9THb/CQx2wTQ6ld0tRMgnU=\n-----END PUBLIC KEY-----\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := ReadManifest(data); err == nil {
			for _, l := range m.Layers {
				if l.File != filepath.Base(l.File) || strings.HasPrefix(l.File, ".") {
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
