// Package signed makes and checks the tokens of signed addresses. Such an address opens one
// path, or what lies below one, until it expires, for who has no key:
//
//	/signed/TOKEN/tiles/county/12/2047/1362.mvt
//
// A token names the secret that signed it, when it expires and the origin whose pages may use
// it. It is authenticated with HMAC-SHA-256 (RFC 2104), cut to 128 bits, over this and the
// path that it opens. Nothing in it is of a key or leads to one.
package signed

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/url"
	"strings"
	"time"

	"github.com/waygate/waygate/fault"
)

// Prefix begins the path of a signed address. The token follows, and then the path that it
// opens.
const Prefix = "/signed/"

// How long an address opens its path.
const (
	Shortest = time.Minute
	Longest  = 24 * time.Hour // that may be asked for
	Usual    = time.Hour
	// mostStep is the most by which Expiry rounds up.
	mostStep = 15 * time.Minute
)

// Expiry returns when an address that is to open its path for some time expires: at least
// that much later, and at most a quarter of it or 15 minutes more. Addresses that are made
// within this margin are the same, so that caches find what they keep.
func Expiry(now time.Time, life time.Duration) time.Time {
	step := max(time.Second, min(life/4, mostStep).Truncate(time.Second))
	at := now.Add(life + step - time.Nanosecond)
	return at.Truncate(step).UTC()
}

// ID names a secret.
type ID [idBytes]byte

// Secret signs addresses.
type Secret [32]byte

// Parts of a token, in bytes: version, name of the secret, seconds since 1970 until which it
// is valid, segments of the path, origin, authentication.
const (
	version   = 1
	idBytes   = 9
	timeBytes = 5
	headBytes = 1 + idBytes + timeBytes + 1
	macBytes  = 16

	mostOrigin = 255
	mostText   = (headBytes + mostOrigin + macBytes + 2) / 3 * 4
)

// Grant has the path that an address opens, and for whom.
type Grant struct {
	Expires time.Time // to the second
	// Segments is how many segments of the path are fixed: 2 of /tiles/county/ opens all
	// that lies below it, with any query. 0 opens one path with its query.
	Segments int
	Origin   string // of pages that may use the address, in canonical form; "" is any
}

// New returns a secret and its name.
func New() (ID, Secret) {
	var id ID
	var secret Secret
	_, _ = rand.Read(id[:]) // never fails: it ends the process instead
	_, _ = rand.Read(secret[:])
	return id, secret
}

// String returns the name as text.
func (id ID) String() string { return base64.RawURLEncoding.EncodeToString(id[:]) }

// Signer signs with one secret. It must not be printed.
type Signer struct {
	ID     ID
	Secret Secret
}

// Sign returns how an address begins that opens a path, or what lies below it, up to and
// without the path: /signed/TOKEN. A path that opens what lies below it ends with a slash,
// and has at most 255 segments; only another one has a query.
func (s *Signer) Sign(path, query string, g Grant) string {
	g.Segments = 0
	if strings.HasSuffix(path, "/") {
		g.Segments = strings.Count(path, "/") - 1
	}
	head := make([]byte, 0, headBytes+len(g.Origin)+macBytes)
	head = append(append(head, version), s.ID[:]...)
	var at [8]byte
	binary.BigEndian.PutUint64(at[:], uint64(max(0, g.Expires.Unix()))) //nolint:gosec // not below 0
	head = append(append(head, at[8-timeBytes:]...), byte(g.Segments))  //nolint:gosec // see above
	head = append(head, g.Origin...)
	mac := s.mac(head, opens(path, query, g.Segments))
	return Prefix + base64.RawURLEncoding.EncodeToString(append(head, mac...))
}

// opens returns the text of what is opened: a path with its query, or how paths begin.
func opens(path, query string, segments int) string {
	if segments == 0 {
		return path + "?" + canonical(query)
	}
	end := 0
	for range segments + 1 {
		next := strings.IndexByte(path[end:], '/')
		if next < 0 {
			return "" // it has fewer segments
		}
		end += next + 1
	}
	return path[:end]
}

// canonical returns a query in the one form in which each name and value is escaped alike, since
// browsers and libraries escape in different ways.
func canonical(query string) string {
	if query == "" {
		return ""
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		pairs[i] = escaped(name) + "=" + escaped(value)
	}
	return strings.Join(pairs, "&")
}

func escaped(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		s = plain
	}
	return url.QueryEscape(s)
}

func (s *Signer) mac(head []byte, opened string) []byte {
	h := hmac.New(sha256.New, s.Secret[:])
	var length [4]byte
	binary.BigEndian.PutUint32(length[:], uint32(len(head))) //nolint:gosec // a few hundred bytes
	_, _ = h.Write(length[:])
	_, _ = h.Write(head)
	_, _ = h.Write([]byte(opened))
	return h.Sum(nil)[:macBytes]
}

// Address is one that was sent, and is not checked yet.
type Address struct {
	ID    ID
	Grant Grant

	head, mac   []byte
	path, query string
}

// Mismatch is the refusal of a token that is none, whose secret is unknown, or that was not
// signed for the address: which of these is not said.
func Mismatch() error {
	return fault.New(fault.Unauthorized, "this signed address is not valid: it was changed, was signed for another path or query, or was withdrawn; POST /v1/signed-addresses signs a new one")
}

// Read reads the token of an address of a path without it. It fails as Mismatch does.
func Read(token, path, query string) (*Address, error) {
	if len(token) > mostText || strings.ContainsAny(token, "\r\n") {
		return nil, Mismatch()
	}
	data, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(data) < headBytes+macBytes || data[0] != version {
		return nil, Mismatch()
	}
	a := &Address{head: data[:len(data)-macBytes], mac: data[len(data)-macBytes:], path: path, query: query}
	copy(a.ID[:], a.head[1:])
	var at [8]byte
	copy(at[8-timeBytes:], a.head[1+idBytes:])
	a.Grant = Grant{
		Expires:  time.Unix(int64(binary.BigEndian.Uint64(at[:])), 0).UTC(), //nolint:gosec // 40 bits
		Segments: int(a.head[headBytes-1]), Origin: string(a.head[headBytes:]),
	}
	return a, nil
}

// Check checks that an address was signed with a secret and has not expired.
func (a *Address) Check(s *Signer, now time.Time) error {
	opened := opens(a.path, a.query, a.Grant.Segments)
	if !hmac.Equal(a.mac, s.mac(a.head, opened)) || opened == "" {
		return Mismatch()
	}
	if !now.Before(a.Grant.Expires) {
		at := a.Grant.Expires.Format(time.RFC3339)
		return fault.New(fault.Unauthorized, "this signed address expired at %s; POST /v1/signed-addresses signs a new one", at).With("expired_at", at)
	}
	return nil
}
