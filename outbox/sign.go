package outbox

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The headers of a webhook, as Standard Webhooks 1.0.0 names them.
const (
	HeaderID        = "webhook-id"
	HeaderTimestamp = "webhook-timestamp" // Unix seconds of the attempt
	HeaderSignature = "webhook-signature" // v1,BASE64, several set apart by spaces
)

// Tolerance is the largest difference between a webhook's timestamp and the receiver's
// clock.
const Tolerance = 5 * time.Minute

const secretPrefix = "whsec_"

// NewSecret makes a signing secret of 256 bits: whsec_ and base64.
func NewSecret() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // it never fails
	return secretPrefix + base64.StdEncoding.EncodeToString(b[:])
}

// secretBytes reads a signing secret of 24 to 64 bytes. Its errors do not show the secret.
func secretBytes(secret string) ([]byte, error) {
	text, ok := strings.CutPrefix(secret, secretPrefix)
	b, err := base64.StdEncoding.DecodeString(text)
	if !ok || err != nil || len(b) < 24 || len(b) > 64 {
		return nil, errors.New("a webhook secret must be whsec_ and 24 to 64 bytes in base64")
	}
	return b, nil
}

func mac(key []byte, id, seconds string, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	_, _ = fmt.Fprintf(h, "%s.%s.", id, seconds) // a hash takes everything
	h.Write(body)
	return h.Sum(nil)
}

// Sign returns the signature of a webhook: "v1," and the base64 of the HMAC-SHA256 over
// id.timestamp.body.
func Sign(secret, id string, at time.Time, body []byte) (string, error) {
	key, err := secretBytes(secret)
	if err != nil {
		return "", err
	}
	return "v1," + base64.StdEncoding.EncodeToString(mac(key, id, strconv.FormatInt(at.Unix(), 10), body)), nil
}

// Verify checks a webhook as a receiver does: the timestamp is within Tolerance of now, and
// one of the signatures was made with the secret.
func Verify(secret string, headers http.Header, body []byte, now time.Time) error {
	key, err := secretBytes(secret)
	if err != nil {
		return err
	}
	id, stamp := headers.Get(HeaderID), headers.Get(HeaderTimestamp)
	if id == "" || stamp == "" || headers.Get(HeaderSignature) == "" {
		return fmt.Errorf("a webhook must have the headers %s, %s and %s", HeaderID, HeaderTimestamp, HeaderSignature)
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return fmt.Errorf("%s must be Unix seconds", HeaderTimestamp)
	}
	if seconds < now.Add(-Tolerance).Unix() || seconds > now.Add(Tolerance).Unix() {
		return fmt.Errorf("%s is more than %s away from the clock", HeaderTimestamp, Tolerance)
	}
	want := mac(key, id, stamp, body)
	for signature := range strings.FieldsSeq(headers.Get(HeaderSignature)) {
		version, text, _ := strings.Cut(signature, ",")
		got, err := base64.StdEncoding.DecodeString(text)
		if version == "v1" && err == nil && hmac.Equal(got, want) {
			return nil
		}
	}
	return fmt.Errorf("no %s fits the body and the secret", HeaderSignature)
}
