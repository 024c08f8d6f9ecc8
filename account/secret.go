package account

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// A key's secret is wg_ and 40 characters of base62: 32 random ones (190 bits) and 8
// that check them, so that a typo or a truncated text is refused without asking the
// database.
const (
	secretPrefix = "wg_"
	secretRandom = 32
	secretCheck  = 8
	secretBody   = len(secretPrefix) + secretRandom
	secretLength = secretBody + secretCheck

	base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// tokenLength is that of link, claim and session tokens: 32 bytes in base64url.
const tokenLength = 43

// Hash returns the form in which a secret or a token is stored: SHA-256 in hex.
func Hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// Plausible reports whether a text can be a key's secret: its form and its checksum are
// right. It saves a query for what cannot be one.
func Plausible(secret string) bool {
	if len(secret) != secretLength || secret[:len(secretPrefix)] != secretPrefix {
		return false
	}
	for i := len(secretPrefix); i < len(secret); i++ {
		if strings.IndexByte(base62, secret[i]) < 0 {
			return false
		}
	}
	check := checksum(secret[:secretBody])
	return string(check[:]) == secret[secretBody:]
}

// checksum returns the first 64 bits of SHA-256 modulo 62^8, in base62. It reveals nothing
// about the hash of the whole secret.
func checksum(body string) (check [secretCheck]byte) {
	var text [secretBody]byte
	copy(text[:], body)
	sum := sha256.Sum256(text[:])
	n := binary.BigEndian.Uint64(sum[:])
	for i := range check {
		check[i] = base62[n%62]
		n /= 62
	}
	return check
}

func newSecret() string {
	secret := make([]byte, 0, secretLength)
	secret = append(secret, secretPrefix...)
	var random [64]byte
	for len(secret) < secretBody {
		_, _ = rand.Read(random[:]) // never fails: it ends the process instead
		for _, b := range random {
			// 248 is the largest multiple of 62 in a byte: beyond it the first
			// characters would be more frequent.
			if b < 248 && len(secret) < secretBody {
				secret = append(secret, base62[b%62])
			}
		}
	}
	check := checksum(string(secret))
	return string(append(secret, check[:]...))
}

// newToken returns a token of a link or a session, and its stored form.
func newToken() (token, hash string) {
	var random [32]byte
	_, _ = rand.Read(random[:]) // as above
	token = base64.RawURLEncoding.EncodeToString(random[:])
	return token, Hash(token)
}

// tokenHash returns the stored form of a token, or false for a text that cannot be one.
func tokenHash(token string) (hash string, ok bool) {
	if len(token) != tokenLength {
		return "", false
	}
	if _, err := base64.RawURLEncoding.Strict().DecodeString(token); err != nil || strings.ContainsAny(token, "\r\n") {
		return "", false
	}
	return Hash(token), true
}
