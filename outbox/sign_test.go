package outbox_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/outbox"
)

// byHand signs as the text of Standard Webhooks says, step by step.
func byHand(t *testing.T, secret, id string, seconds int64, body string) string {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	h := hmac.New(sha256.New, key)
	_, _ = fmt.Fprint(h, id, ".", seconds, ".", body)
	return "v1," + base64.StdEncoding.EncodeToString(h.Sum(nil))
}

// The example that the libraries of Standard Webhooks test themselves with.
func TestSignExample(t *testing.T) {
	got, err := outbox.Sign("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
}

func TestVerify(t *testing.T) {
	now := time.Unix(1_795_000_000, 0)
	secret, other := outbox.NewSecret(), outbox.NewSecret()
	const body = `{"type":"quota.threshold"}`
	right := byHand(t, secret, "msg_1", now.Unix(), body)
	wrong := byHand(t, other, "msg_1", now.Unix(), body)
	for _, c := range []struct {
		name, secret, id, stamp, signature, body string
		ok                                       bool
	}{
		{"right", secret, "msg_1", "1795000000", right, body, true},
		{"other secret", other, "msg_1", "1795000000", right, body, false},
		{"other body", secret, "msg_1", "1795000000", right, body + " ", false},
		{"other id", secret, "msg_2", "1795000000", right, body, false},
		{"other timestamp", secret, "msg_1", "1795000001", right, body, false},
		{"rotated: old first", secret, "msg_1", "1795000000", wrong + " " + right, body, true},
		{"rotated: new first", secret, "msg_1", "1795000000", right + " " + wrong, body, true},
		{"asymmetric beside it", secret, "msg_1", "1795000000", "v1a,AAAA " + right, body, true},
		{"none right", secret, "msg_1", "1795000000", wrong + " " + wrong, body, false},
		{"as another version", secret, "msg_1", "1795000000", "v2" + right[2:], body, false},
		{"no version", secret, "msg_1", "1795000000", right[3:], body, false},
		{"no signature", secret, "msg_1", "1795000000", "", body, false},
		{"empty signature", secret, "msg_1", "1795000000", "v1,", body, false},
		{"no id", secret, "", "1795000000", right, body, false},
		{"no timestamp", secret, "msg_1", "", right, body, false},
		{"timestamp in words", secret, "msg_1", "now", right, body, false},
		{"endless timestamp", secret, "msg_1", strings.Repeat("9", 40), right, body, false},
		{"secret without its prefix", secret[6:], "msg_1", "1795000000", right, body, false},
		{"no secret", "", "msg_1", "1795000000", right, body, false},
		{"short secret", "whsec_AAAA", "msg_1", "1795000000", byHand(t, "whsec_AAAA", "msg_1", now.Unix(), body), body, false},
	} {
		h := http.Header{}
		h.Set(outbox.HeaderID, c.id)
		h.Set(outbox.HeaderTimestamp, c.stamp)
		h.Set(outbox.HeaderSignature, c.signature)
		if err := outbox.Verify(c.secret, h, []byte(c.body), now); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for away, ok := range map[time.Duration]bool{0: true, 299 * time.Second: true, -299 * time.Second: true, 301 * time.Second: false, -301 * time.Second: false} {
		h := http.Header{}
		h.Set(outbox.HeaderID, "msg_1")
		h.Set(outbox.HeaderTimestamp, "1795000000")
		h.Set(outbox.HeaderSignature, right)
		if err := outbox.Verify(secret, h, []byte(body), now.Add(away)); (err == nil) != ok {
			t.Errorf("%s away: %v", away, err)
		}
	}
}

// FuzzVerify checks that every accepted signature was made with the secret.
func FuzzVerify(f *testing.F) {
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	f.Add("msg_1", "1614265330", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", `{"test": 2432232314}`)
	f.Add("msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", `{"test": 2432232314}`)
	f.Add("", "-1", " ,, v1, v1", "")
	f.Fuzz(func(t *testing.T, id, stamp, signature, body string) {
		h := http.Header{}
		h.Set(outbox.HeaderID, id)
		h.Set(outbox.HeaderTimestamp, stamp)
		h.Set(outbox.HeaderSignature, signature)
		now := time.Unix(1614265330, 0)
		if outbox.Verify(secret, h, []byte(body), now) != nil {
			return
		}
		var seconds int64
		if _, err := fmt.Sscan(stamp, &seconds); err != nil || !strings.Contains(signature, byHand(t, secret, id, seconds, body)) {
			t.Errorf("accepted %q %q %q %q", id, stamp, signature, body)
		}
	})
}
