package territory

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	privatePEM = "PRIVATE KEY"
	publicPEM  = "PUBLIC KEY"
)

// LoadKey reads the private signing key from a file (PEM of PKCS #8, as openssl writes it),
// or creates the file with a new key. A file that other users of the machine may read is an
// error.
func LoadKey(path string) (ed25519.PrivateKey, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return makeKey(path)
	}
	if err != nil {
		return nil, err
	}
	if open := info.Mode().Perm() & 0o077; open != 0 {
		return nil, fmt.Errorf("the key %s may be read by others (mode %04o): chmod 600 it, or remove it to have a new one made", path, info.Mode().Perm())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	key, err := ParseKey(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return key, nil
}

// ParseKey reads a private key in PEM of PKCS #8.
func ParseKey(data []byte) (ed25519.PrivateKey, error) {
	block, _ := pem.Decode(data)
	if block == nil || block.Type != privatePEM {
		return nil, errors.New("no private key: want PEM of PKCS #8, as from openssl genpkey -algorithm ed25519")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	own, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("a key of another kind (%T): want Ed25519", key)
	}
	return own, nil
}

// makeKey writes a new key that only its owner may read. Where two processes do so at once,
// one of them gets an error.
func makeKey(path string) (ed25519.PrivateKey, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = f.Write(pem.EncodeToMemory(&pem.Block{Type: privatePEM, Bytes: der}))
	if err == nil {
		err = f.Sync()
	}
	return key, errors.Join(err, f.Close())
}

// encodePublic writes a public key as PEM.
func encodePublic(key ed25519.PublicKey) ([]byte, error) {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: publicPEM, Bytes: der}), nil
}

// ParsePublic reads a public key: PEM, or its 32 bytes in base64.
func ParsePublic(data []byte) (ed25519.PublicKey, error) {
	if raw, err := base64.StdEncoding.DecodeString(string(bytes.TrimSpace(data))); err == nil && len(raw) == ed25519.PublicKeySize {
		return raw, nil
	}
	block, _ := pem.Decode(data)
	if block == nil || block.Type != publicPEM {
		return nil, errors.New("no public key: want PEM, or 32 bytes in base64")
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	theirs, ok := key.(ed25519.PublicKey)
	if !ok {
		return nil, fmt.Errorf("a key of another kind (%T): want Ed25519", key)
	}
	return theirs, nil
}

// PublicText returns the 32 bytes of a public key in base64, as /v1/platform writes it.
func PublicText(key ed25519.PublicKey) string { return base64.StdEncoding.EncodeToString(key) }

// Sign returns the signature of a document, a line of text.
func Sign(key ed25519.PrivateKey, document []byte) []byte {
	return append([]byte(base64.StdEncoding.EncodeToString(ed25519.Sign(key, document))), '\n')
}

// ErrSignature is the error of a document that the key did not sign.
var ErrSignature = errors.New("the signature is wrong: it was changed on the way, or another key signed it")

// Verify returns ErrSignature where the key did not sign the document.
func Verify(key ed25519.PublicKey, document, signature []byte) error {
	raw, err := base64.StdEncoding.DecodeString(string(bytes.TrimSpace(signature)))
	if err != nil || !ed25519.Verify(key, document, raw) {
		return ErrSignature
	}
	return nil
}
