package disposable

import (
	"slices"
	"strings"
	"testing"
)

func TestHas(t *testing.T) {
	for domain, want := range map[string]bool{
		"mailinator.com":       true,
		"inbox.mailinator.com": true,
		"a.b.mailinator.com":   true,
		"a-mailinator.com":     false,
		"mailinator.com.org":   false,
		"33mail.com":           true,
		"someone.33mail.com":   true,
		"xn--gmal-nza.net":     true,
		"gmail.com":            false,
		"example.org":          false,
		"proton.me":            false,
		"co.uk":                false,
		"com":                  false,
		"":                     false,
		".":                    false,
		"mailinator.com\n":     false,
		"\nmailinator.com":     false,
	} {
		if got := Has(domain); got != want {
			t.Errorf("Has(%q) is %v", domain, got)
		}
	}
}

// Every line is found, what lies between two is not, and the list is as the
// search needs it.
func TestList(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(list(), "\n"), "\n")
	if len(lines) < 100_000 || !slices.IsSorted(lines) {
		t.Fatalf("%d lines, sorted: %v", len(lines), slices.IsSorted(lines))
	}
	for i, line := range lines {
		if !Has(line) {
			t.Fatalf("line %d, %q, is not found", i, line)
		}
		if strings.Trim(line, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" || !strings.Contains(line, ".") {
			t.Errorf("line %d is no domain: %q", i, line)
		}
		if listed(line + "-") {
			t.Errorf("%q is found", line+"-")
		}
	}
}

func BenchmarkHas(b *testing.B) {
	Has("example.org")
	for b.Loop() {
		Has("mail.department.example.org")
	}
}
