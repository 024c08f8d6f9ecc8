package territory

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"os"
	"path/filepath"
	"testing"
)

// A key of another kind, or none at all, is refused whichever way it is given, and a
// file of it is left as it is.
func TestOtherKeysAreRefused(t *testing.T) {
	other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(other)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(other.Public())
	if err != nil {
		t.Fatal(err)
	}
	ownPublic, own, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ownPrivate, err := x509.MarshalPKCS8PrivateKey(own)
	if err != nil {
		t.Fatal(err)
	}
	named, err := encodePublic(ownPublic)
	if err != nil {
		t.Fatal(err)
	}
	file := func(kind string, content []byte) []byte {
		return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content})
	}
	for name, text := range map[string][]byte{
		"a private key of another kind":  file(privatePEM, private),
		"a public key of another kind":   file(publicPEM, public),
		"half a private key":             file(privatePEM, ownPrivate[:20]),
		"half a public key":              file(publicPEM, public[:20]),
		"a private key of another name":  file("EC PRIVATE KEY", ownPrivate),
		"a public key of another name":   bytes.ReplaceAll(named, []byte(publicPEM), []byte("OTHER KEY")),
		"a public key that is too short": []byte(base64.StdEncoding.EncodeToString(ownPublic[1:])),
		"no key":                         []byte("no key"),
		"nothing":                        nil,
	} {
		if key, err := ParseKey(text); err == nil {
			t.Errorf("%s is taken for a private key of %d bytes", name, len(key))
		}
		if key, err := ParsePublic(text); err == nil {
			t.Errorf("%s is taken for a public key of %d bytes", name, len(key))
		}
		path := filepath.Join(t.TempDir(), "key")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := LoadKey(path)
		if left, _ := os.ReadFile(path); err == nil || !bytes.Equal(left, text) {
			t.Errorf("%s was loaded or replaced: %v", name, err)
		}
	}
}
