package evidence_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/feature/evidence"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

const seed = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

func signed(t *testing.T, answer string) []byte {
	t.Helper()
	s, err := evidence.NewSigner(seed, "1.2", func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 999, time.UTC) })
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Sign([]byte(answer), evidence.Signed{Call: "POST /route", Request: `{"costing":"truck","id":"ü \" ,\"signed\":"}`, Region: "sha256:ab", Engine: "embedded", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSignedAnswersVerify(t *testing.T) {
	for _, answer := range []string{`{"trip":{"length":1.50,"of":"Zürich"},"signed":"by the engine"}`, "{\"a\":1}\n"} {
		document := signed(t, answer)
		if !json.Valid(document) {
			t.Fatalf("%s is not JSON", document)
		}
		got, s, err := evidence.Verify(document)
		if err != nil || string(got) != strings.TrimSpace(answer) || s.Engine != "embedded" || s.Gateway != "1.2" {
			t.Errorf("verified %s of %+v: %v", got, s, err)
		}
	}
}

// TestNothingCanBeChanged alters each byte of a signed answer in turn.
func TestNothingCanBeChanged(t *testing.T) {
	document := signed(t, `{"trip":{"length":1.5}}`)
	for i := range document {
		other := bytes.Clone(document)
		other[i] ^= 1
		if _, s, err := evidence.Verify(other); err == nil {
			t.Errorf("with byte %d (%q) changed it verifies: %+v", i, document[i], s)
		}
	}
	for _, other := range []string{"", "{}", `{"a":1}`, `{"a":1,"signed":{}}`, string(document) + "{}", strings.Replace(string(document), `"length":1.5`, `"length": 1.5`, 1)} {
		if _, _, err := evidence.Verify([]byte(other)); err == nil {
			t.Errorf("%s verifies", other)
		}
	}
}

// script verifies a signed answer by the description of the statement alone.
const script = `
import sys, json, hashlib, base64
doc = open(sys.argv[1], "rb").read().strip()
at = doc.rindex(b',"signed":')
answer = doc[:at] + b"}"
s = json.loads(doc[at + 10:-1])
sha = lambda b: hashlib.sha256(b).hexdigest()
lines = ["waygate-answer-v1", s["call"], sha(s["request"].encode()), s["region"], s["engine"],
         s["engine_version"], s["gateway_version"], s["signed_at"], sha(answer)]
open(sys.argv[2], "wb").write(("\n".join(lines) + "\n").encode())
open(sys.argv[3], "wb").write(base64.b64decode(s["signature"]))
open(sys.argv[4], "wb").write(bytes.fromhex("302a300506032b6570032100") + base64.b64decode(s["key"]))
`

// TestAStrangerVerifies has Python make the statement and OpenSSL verify it, which share
// nothing of this program.
func TestAStrangerVerifies(t *testing.T) {
	for _, tool := range []string{"python3", "openssl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("needs %s", tool)
		}
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string][]byte{"verify.py": []byte(script), "good": signed(t, `{"trip":{"of":"Zürich"}}`), "bad": bytes.Replace(signed(t, `{"trip":{"of":"Zürich"}}`), []byte("Zür"), []byte("Mün"), 1)} {
		if err := os.WriteFile(at(name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, verifies := range map[string]bool{"good": true, "bad": false} {
		if out, err := exec.CommandContext(t.Context(), "python3", at("verify.py"), at(name), at("statement"), at("signature"), at("key")).CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, out)
		}
		out, err := exec.CommandContext(t.Context(), "openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", at("key"), "-rawin", "-in", at("statement"), "-sigfile", at("signature")).CombinedOutput()
		if (err == nil) != verifies {
			t.Errorf("%s: %v %s", name, err, out)
		}
	}
}

func TestTheKeyIsKept(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db, err := store.Open(t.Context(), address, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Close() }()
		var keys []string
		for range 2 {
			s, err := evidence.StoredSigner(t.Context(), db, "1", nil, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, s.Public())
		}
		if keys[0] != keys[1] || len(keys[0]) != 44 {
			t.Errorf("keys %q", keys)
		}
	})
}

func TestKeysAreChecked(t *testing.T) {
	for _, bad := range []string{"", "abc", "AAEC", seed + seed} {
		if _, err := evidence.NewSigner(bad, "1", nil); err == nil {
			t.Errorf("%q is a key", bad)
		}
	}
	var none *evidence.Signer
	if none.Public() != "" {
		t.Error("no signer has a key")
	}
}

func TestDifferences(t *testing.T) {
	list, err := evidence.Differences([]byte(`{"a":{"b":[1,2,{"c":"x"}],"d":1.0},"e":1,"f":true,"w":1}`), []byte(`{"a":{"b":[1,3],"d":1.00},"g":null,"f":"true","w":2}`), "w")
	if err != nil {
		t.Fatal(err)
	}
	want := "a.b had 3 entries and has 2 now|a.b[1] was 2 and is 3 now|a.d was 1.0 and is 1.00 now|e was there and is not now|f was true and is \"true\" now|g was not there and is now"
	if got := strings.Join(list, "|"); got != want {
		t.Errorf("differences\n%s\nwant\n%s", got, want)
	}
	if list, err := evidence.Differences([]byte(`{"a":[1,{"b":null}]}`), []byte(`{"a":[1,{"b":null}]}`)); err != nil || len(list) != 0 {
		t.Errorf("%v %v", list, err)
	}
}

func FuzzVerify(f *testing.F) {
	f.Add([]byte(`{"a":1,"signed":{"key":"","at":1}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if answer, s, err := evidence.Verify(data); err == nil && (s == nil || !json.Valid(answer)) {
			t.Errorf("%q verifies as %q", data, answer)
		}
	})
}
