package account

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSecret(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		s := newSecret()
		if seen[s] || !Plausible(s) || !strings.HasPrefix(s, "wg_") || len(s) != len("wg_")+40 {
			t.Fatalf("%q, seen: %v, plausible: %v", s, seen[s], Plausible(s))
		}
		seen[s] = true
	}
}

// Each character of base62 comes up about as often as any other.
func TestSecretIsUniform(t *testing.T) {
	var n [256]int
	const secrets = 4000
	for range secrets {
		for _, c := range []byte(newSecret()[len(secretPrefix):secretBody]) {
			n[c]++
		}
	}
	// 2,064 are expected of each, with a standard deviation of 45.
	for _, c := range []byte(base62) {
		if n[c] < 1750 || n[c] > 2400 {
			t.Errorf("%c came up %d times", c, n[c])
		}
	}
}

// A secret with one character wrong, two swapped, or a part missing is none.
func TestPlausibleTypos(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := []byte(newSecret())
		i := rapid.IntRange(0, len(s)-1).Draw(t, "at")
		switch rapid.IntRange(0, 2).Draw(t, "typo") {
		case 0:
			other := rapid.Byte().Draw(t, "other")
			if s[i] == other {
				return
			}
			s[i] = other
		case 1:
			j := rapid.IntRange(0, len(s)-1).Draw(t, "with")
			if s[i] == s[j] {
				return
			}
			s[i], s[j] = s[j], s[i]
		default:
			s = append(s[:i], s[i+1:]...)
		}
		if Plausible(string(s)) {
			t.Fatalf("%q is taken", s)
		}
	})
}

func FuzzPlausible(f *testing.F) {
	f.Add(newSecret())
	f.Add("wg_")
	f.Add("")
	f.Add("wg_" + strings.Repeat("0", 40))
	f.Fuzz(func(t *testing.T, s string) {
		if !Plausible(s) {
			return
		}
		if len(s) != secretLength || strings.Trim(s[3:], base62) != "" {
			t.Errorf("%q is plausible", s)
		}
		// One more change and it is no more.
		last := byte('a')
		if s[len(s)-1] == last {
			last = 'b'
		}
		if Plausible(s[:len(s)-1] + string(last)) {
			t.Errorf("two secrets with one body: %q", s)
		}
	})
}

func TestHash(t *testing.T) {
	// SHA-256 of "abc", from FIPS 180.
	if got := Hash("abc"); got != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" {
		t.Error(got)
	}
}

func TestToken(t *testing.T) {
	a, hash := newToken()
	b, _ := newToken()
	if a == b || len(a) != tokenLength {
		t.Error(a, b)
	}
	if got, ok := tokenHash(a); !ok || got != hash {
		t.Error(got, ok)
	}
	for _, s := range []string{"", a[:42], a + "A", a[:42] + "=", a[:42] + "+", a[:42] + "\n", a[:40] + "\r\nA", newSecret() + " "} {
		if _, ok := tokenHash(s); ok {
			t.Errorf("%q is taken", s)
		}
	}
}

func BenchmarkPlausible(b *testing.B) {
	s := newSecret()
	for b.Loop() {
		Plausible(s)
	}
}
