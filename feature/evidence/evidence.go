// Package evidence signs answers, so that it can be shown later what a gateway answered to
// which request on which data, and verifies such answers.
//
// A signed answer is the answer as it would be without a signature, with one more member at
// its end: signed. Nothing else in it is changed, so that the bytes before that member, and
// the closing bracket, are the answer that was signed. The signature is by Ed25519 (RFC 8032)
// over the statement, these lines of UTF-8 with a line feed after each:
//
//	waygate-answer-v1
//	the call, such as POST /route
//	SHA-256 of the request's body, in hexadecimal
//	the hash of the region, or none
//	the routing engine
//	its version, or unknown
//	the version of the gateway
//	the time, as RFC 3339 in UTC with seconds
//	SHA-256 of the answer
package evidence

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/waygate/waygate/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Signed is the member signed of an answer.
type Signed struct {
	Algorithm string    `json:"algorithm" enum:"Ed25519"`
	Key       string    `json:"key" doc:"public key, 32 bytes in base64, as GET /v1/platform has it as answer_key"`
	Call      string    `json:"call" example:"POST /route"`
	Request   string    `json:"request" doc:"body of the request as it was sent"`
	Region    string    `json:"region" doc:"hash of the region's data, with sha256: before it; none where the gateway has no region"`
	Engine    string    `json:"engine"`
	Version   string    `json:"engine_version" doc:"of the routing engine; unknown where it does not say"`
	Gateway   string    `json:"gateway_version"`
	At        time.Time `json:"signed_at"`
	Signature string    `json:"signature" doc:"64 bytes in base64, over the statement that docs/compatibility.md describes"`
}

// member begins the member signed at the end of an answer.
const member = `,"signed":`

// statement returns the bytes of an answer that are signed.
func (s *Signed) statement(answer []byte) []byte {
	lines := []string{"waygate-answer-v1", s.Call, sum([]byte(s.Request)), s.Region, s.Engine, s.Version, s.Gateway, s.At.UTC().Format(time.RFC3339), sum(answer)}
	return []byte(strings.Join(lines, "\n") + "\n")
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// Signer signs answers with one key.
type Signer struct {
	key     ed25519.PrivateKey
	gateway string
	now     func() time.Time
}

// NewSigner returns a signer. seed is 32 bytes in base64, gateway the version of the program;
// a nil now is time.Now.
func NewSigner(seed, gateway string, now func() time.Time) (*Signer, error) {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(seed))
	if err != nil || len(raw) != ed25519.SeedSize {
		return nil, fmt.Errorf("the signing key must be %d bytes in base64, as openssl rand -base64 32 prints", ed25519.SeedSize)
	}
	if now == nil {
		now = time.Now
	}
	return &Signer{ed25519.NewKeyFromSeed(raw), gateway, now}, nil
}

// StoredSigner returns the signer of the key in a database, which all replicas share; the first of
// them makes it.
func StoredSigner(ctx context.Context, db *store.DB, gateway string, now func() time.Time, log *slog.Logger) (*Signer, error) {
	if err := db.MigrateFolder(ctx, "evidence", migrations, log); err != nil {
		return nil, err
	}
	made := make([]byte, ed25519.SeedSize)
	_, _ = rand.Read(made) // never fails
	if now == nil {
		now = time.Now
	}
	if _, err := db.Exec(ctx, `INSERT INTO signing_keys (id, seed, created_at) VALUES (1, $1, $2) ON CONFLICT (id) DO NOTHING`, base64.StdEncoding.EncodeToString(made), now().Unix()); err != nil {
		return nil, err
	}
	var seed string
	if err := db.QueryRow(ctx, `SELECT seed FROM signing_keys WHERE id = 1`).Scan(&seed); err != nil {
		return nil, err
	}
	return NewSigner(seed, gateway, now)
}

// Public returns the public key in base64; "" of a nil signer.
func (s *Signer) Public() string {
	if s == nil {
		return ""
	}
	return base64.StdEncoding.EncodeToString(s.key.Public().(ed25519.PublicKey))
}

// Sign returns an answer, a JSON object, with the member signed at its end. The key, the
// time, the gateway's version and the signature of it are filled in here.
func (s *Signer) Sign(answer []byte, about Signed) ([]byte, error) {
	answer = bytes.TrimSpace(answer)
	if len(answer) < 3 || answer[len(answer)-1] != '}' {
		return nil, errors.New("only an answer that is a JSON object with members can be signed")
	}
	about.Algorithm, about.Key, about.Gateway, about.At = "Ed25519", s.Public(), s.gateway, s.now().UTC().Truncate(time.Second)
	about.Signature = base64.StdEncoding.EncodeToString(ed25519.Sign(s.key, about.statement(answer)))
	block, err := json.Marshal(about)
	if err != nil {
		return nil, err
	}
	out := make([]byte, 0, len(answer)+len(member)+len(block))
	out = append(append(out, answer[:len(answer)-1]...), member...)
	return append(append(out, block...), '}'), nil
}

// MostBytes is the longest answer that is verified.
const MostBytes = 128 << 20

// Verify splits a signed answer, exactly as it was received, into the answer and what was
// signed of it. The error says why it is not what the holder of its key signed. Whether the
// key is a gateway's is for the caller to check.
func Verify(document []byte) (answer []byte, s *Signed, err error) {
	document = bytes.TrimSpace(document)
	if len(document) > MostBytes {
		return nil, nil, fmt.Errorf("the answer has %d bytes and may have %d", len(document), MostBytes)
	}
	at := bytes.LastIndex(document, []byte(member))
	if at < 0 || !json.Valid(document) || document[len(document)-1] != '}' {
		return nil, nil, errors.New("the file has no signed answer: the member signed must stand at the end of a JSON object, byte for byte as it was received")
	}
	s = &Signed{}
	d := json.NewDecoder(bytes.NewReader(document[at+len(member) : len(document)-1]))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil || d.More() {
		return nil, nil, errors.Join(errors.New("the member signed cannot be read"), err)
	}
	for _, line := range []string{s.Call, s.Region, s.Engine, s.Version, s.Gateway} {
		if strings.ContainsAny(line, "\n\r") {
			return nil, nil, errors.New("the member signed has a line feed in a value of one line")
		}
	}
	key, err := base64.StdEncoding.DecodeString(s.Key)
	signature, err2 := base64.StdEncoding.DecodeString(s.Signature)
	if err != nil || err2 != nil || len(key) != ed25519.PublicKeySize || s.Algorithm != "Ed25519" {
		return nil, nil, errors.New("the key or the signature is not one of Ed25519 in base64")
	}
	answer = append(bytes.Clone(document[:at]), '}')
	if !ed25519.Verify(key, s.statement(answer), signature) {
		return nil, nil, errors.New("the signature does not fit: the request, the answer or what is said of them was changed")
	}
	return answer, s, nil
}
