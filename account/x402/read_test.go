package x402_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/fault"
)

// example is the payment of the specification.
const example = `{"x402Version":1,"scheme":"exact","network":"base-sepolia","payload":{` +
	`"signature":"0x2d6a7588d6acca505cbf0d9a4a227e0c52c6c34008c8e8986a1283259764173608a2ce6496642e377d6da8dbbf5836e9bd15092f9ecab05ded3d6293af148b571c",` +
	`"authorization":{"from":"0x857b06519E91e3A54538791bDbb0E22373e36b66","to":"0x209693Bc6afc0C5328bA36FaF03C514EF312287C","value":"10000",` +
	`"validAfter":"1740672089","validBefore":"1740672154","nonce":"0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480"}}}`

func header(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

func payments() *x402.Payments {
	return x402.New(x402.Options{Facilitator: "http://127.0.0.1:1", UnitPrice: 1})
}

func TestRead(t *testing.T) {
	if p, err := payments().Read(header(example)); err != nil || p == nil {
		t.Fatal(err)
	}
	const above = `"115792089237316195423570985008687907853269984665640564039457584007913129639936"` // 2^256
	const most = `"115792089237316195423570985008687907853269984665640564039457584007913129639935"`
	swap := func(old, replacement string) string {
		if strings.Count(example, old) != 1 {
			t.Fatalf("%q", old)
		}
		return strings.Replace(example, old, replacement, 1)
	}
	for _, good := range []string{
		swap(`"10000"`, most), swap(`"10000"`, `"0"`), swap(`"10000"`, `"0010000"`), swap(`"1740672089"`, `"0"`),
		swap("0x857b06519E91e3A54538791bDbb0E22373e36b66", "0X857B06519E91E3A54538791BDBB0E22373E36B66"),
		swap("148b571c", "148b571c"+strings.Repeat("00", 1000)), // of a contract account
		" " + example + "\n",
	} {
		if _, err := payments().Read(header(good)); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	const in = "X-PAYMENT.payload.authorization."
	for _, c := range []struct{ text, location string }{
		{"", "X-PAYMENT"},
		{"null", "X-PAYMENT.x402Version"},
		{"{}", "X-PAYMENT.x402Version"},
		{"[]", "X-PAYMENT"},
		{`"x"`, "X-PAYMENT"},
		{example[:len(example)-1], "X-PAYMENT"},
		{example + "{}", "X-PAYMENT"},
		{example + "x", "X-PAYMENT"},
		{swap(`"x402Version":1`, `"x402Version":2`), "X-PAYMENT.x402Version"},
		{swap(`"x402Version":1`, `"x402Version":"1"`), "X-PAYMENT.x402Version"},
		{swap(`"x402Version":1`, `"x402Version":1.0`), "X-PAYMENT.x402Version"},
		{swap(`"x402Version":1`, `"x402Version":-1`), "X-PAYMENT.x402Version"},
		{`{"x402Version":2,"accepted":{},"payload":{}}`, "X-PAYMENT.x402Version"},
		{swap(`"scheme"`, `"extra":1,"scheme"`), "X-PAYMENT"},
		{swap(`"scheme":"exact"`, `"scheme":""`), "X-PAYMENT.scheme"},
		{swap(`"scheme":"exact"`, `"scheme":7`), "X-PAYMENT.scheme"},
		{swap(`"network":"base-sepolia",`, ``), "X-PAYMENT.network"},
		{swap(`"10000"`, `10000`), in + "value"},
		{swap(`"10000"`, `"-1"`), in + "value"},
		{swap(`"10000"`, `"+1"`), in + "value"},
		{swap(`"10000"`, `""`), in + "value"},
		{swap(`"10000"`, `"1e4"`), in + "value"},
		{swap(`"10000"`, `"1.0"`), in + "value"},
		{swap(`"10000"`, `"1_000"`), in + "value"},
		{swap(`"10000"`, `" 1"`), in + "value"},
		{swap(`"10000"`, `"0x10"`), in + "value"},
		{swap(`"10000"`, `"١"`), in + "value"},
		{swap(`"10000"`, `null`), in + "value"},
		{swap(`"10000"`, above), in + "value"},
		{swap(`"10000"`, `"`+strings.Repeat("0", 79)+`"`), in + "value"},
		{swap(`"1740672089"`, `"-1"`), in + "validAfter"},
		{swap(`"1740672154"`, `"tomorrow"`), in + "validBefore"},
		{swap("0xf3746613", "f3746613"), in + "nonce"},
		{swap("0xf3746613", "0x746613"), in + "nonce"},
		{swap("0xf3746613", "0xf3746613ab"), in + "nonce"},
		{swap("0xf3746613", "0xg3746613"), in + "nonce"},
		{swap("0x857b06519E91", "857b06519E91"), in + "from"},
		{swap("0x857b06519E91", "0x57b06519E91"), in + "from"},
		{swap("0x209693Bc6afc", "0x209693Bc6af"), in + "to"},
		{swap("0x2d6a7588", "2d6a7588"), "X-PAYMENT.payload.signature"},
		{swap("0x2d6a7588", "0x"), "X-PAYMENT.payload.signature"},
		{swap("0x2d6a7588", "0x2d6a75881"), "X-PAYMENT.payload.signature"},
		{swap("0x2d6a7588", "0xzd6a7588"), "X-PAYMENT.payload.signature"},
		{swap(`"payload":{`, `"payload":{"signature":[],`), "X-PAYMENT.payload.signature"},
		{`{"x402Version":1,"scheme":"exact","network":"base","payload":null}`, "X-PAYMENT.payload.signature"},
		{`{"x402Version":1,"scheme":"exact","network":"base","payload":"x"}`, "X-PAYMENT.payload"},
		{strings.Repeat("[", 10_000), "X-PAYMENT"},
		{`{"x402Version":1,"scheme":"` + strings.Repeat("x", 16<<10) + `"}`, "X-PAYMENT"},
	} {
		wrong(t, header(c.text), c.location)
	}
	for _, h := range []string{
		"", "null", example, header(example) + "=", header(example) + " ", " " + header(example), header(example)[:100] + "\r\n" + header(example)[100:],
		strings.TrimRight(header(example), "="), base64.URLEncoding.EncodeToString([]byte(strings.Replace(example, "exact", "??>~", 1))), "\x00", strings.Repeat("A", 1<<20),
	} {
		if h == header(example) {
			continue // without padding to take away
		}
		wrong(t, h, "X-PAYMENT")
	}
	// Bits that say nothing would give one payment many headers.
	padded := header(example + strings.Repeat(" ", 4-len(example)%3))
	if bare := padded[:len(padded)-2]; !strings.HasSuffix(padded, "A==") {
		t.Errorf("the example does not end as it should: %s", padded)
	} else {
		wrong(t, bare[:len(bare)-1]+"B==", "X-PAYMENT")
	}
}

// wrong checks that a header is refused and its fault named and bounded.
func wrong(t *testing.T, header, location string) {
	t.Helper()
	p, err := payments().Read(header)
	var f *fault.Error
	if p != nil || !errors.As(err, &f) || f.Slug != fault.BadRequest {
		t.Errorf("%.300q: %v, %v", header, p, err)
		return
	}
	violations, _ := f.Fields["errors"].([]fault.Violation)
	if len(violations) == 0 || violations[0].Location != location {
		t.Errorf("%.300q: %+v, not at %s", header, violations, location)
	}
	if text := fmt.Sprint(f.Fields, f.Detail); len(text) > 3000 || strings.Contains(text, "8a2ce6496642e377d6da8dbbf5836e9bd") {
		t.Errorf("it shows %s", text)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{example, strings.Replace(example, `"10000"`, `"-1"`, 1), `{"x402Version":1}`, "null", example + example, ""} {
		f.Add(header(s))
		f.Add(s)
	}
	open := payments()
	f.Fuzz(func(t *testing.T, s string) {
		for _, h := range []string{s, header(s)} {
			p, err := open.Read(h)
			if (p == nil) == (err == nil) {
				t.Fatal(p, err)
			}
			if err != nil && !fault.Is(err, fault.BadRequest) {
				t.Fatal(err)
			}
			if err == nil {
				// It names no network, so that whatever was read is refused.
				if err := open.Verify(t.Context(), p, "", 1); !errors.As(err, new(*x402.Refused)) {
					t.Fatal(err)
				}
			}
		}
	})
}
